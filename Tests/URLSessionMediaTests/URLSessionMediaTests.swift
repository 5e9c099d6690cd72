// URLSessionMediaTests: to come.
