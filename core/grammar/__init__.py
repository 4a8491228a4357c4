"""A bilingual grammar of everyday Korean and English: the source of ko-en-everyday."""
