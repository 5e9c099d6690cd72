// _Curl: to come.
