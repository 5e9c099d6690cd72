// _HTTP2: to come.
