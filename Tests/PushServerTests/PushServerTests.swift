// PushServerTests: to come.
