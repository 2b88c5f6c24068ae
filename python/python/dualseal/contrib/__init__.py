"""What the library brings for frameworks. Nothing of it is imported before it is asked for."""
