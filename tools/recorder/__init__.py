"""What nodes said to each other, kept in a file: recorded, shown, and played to our node again."""
