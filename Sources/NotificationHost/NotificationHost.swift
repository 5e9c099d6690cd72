// NotificationHost: to come.
