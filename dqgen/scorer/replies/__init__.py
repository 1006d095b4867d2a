"""What a reply says: the reply taken apart, and a reader for each sort of answer."""
