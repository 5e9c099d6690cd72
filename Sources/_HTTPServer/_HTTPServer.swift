// _HTTPServer: to come.
