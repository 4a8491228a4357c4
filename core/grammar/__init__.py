"""A bilingual grammar of everyday Korean and English: what the everyday models learn from."""
