"""kaiser_logic."""
