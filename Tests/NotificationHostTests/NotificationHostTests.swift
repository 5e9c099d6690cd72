// NotificationHostTests: to come.
