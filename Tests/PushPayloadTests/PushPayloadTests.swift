// PushPayloadTests: to come.
