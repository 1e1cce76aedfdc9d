"""Tables out of the metadata log: a DataFrame of the source's rows in, a DataFrame out."""
