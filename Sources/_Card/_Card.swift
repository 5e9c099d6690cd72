// _Card: to come.
