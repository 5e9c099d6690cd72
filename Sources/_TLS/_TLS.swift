// _TLS: to come.
