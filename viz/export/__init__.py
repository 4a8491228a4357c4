"""What leaves the app as a file: figures, numbers, whole traces, pages that stay alive."""
