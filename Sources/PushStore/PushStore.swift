// PushStore: to come.
