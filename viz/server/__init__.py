"""What speaks HTTP: routes, the page that they answer with, and who may ask how much."""
