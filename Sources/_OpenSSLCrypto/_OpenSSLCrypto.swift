// _OpenSSLCrypto: to come.
