// URLSessionMedia: to come.
