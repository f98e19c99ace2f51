"""Vive le Roi."""
