// HTTPServerTests: to come.
