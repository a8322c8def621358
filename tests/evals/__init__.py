"""What is promised to those who evaluate language models: exact scores, and the right floor and ceiling."""
