"""Measures the speed of the package: ``python -m tests.benchmarks`` from the project's folder."""
