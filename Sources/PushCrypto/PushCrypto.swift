// PushCrypto: to come.
