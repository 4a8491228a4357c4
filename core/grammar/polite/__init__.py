"""Korean of any register, said politely (해요체): real pairs then speak as the grammar does."""
