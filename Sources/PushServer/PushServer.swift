// PushServer: to come.
