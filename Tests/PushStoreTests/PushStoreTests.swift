// PushStoreTests: to come.
