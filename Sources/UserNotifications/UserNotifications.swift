// UserNotifications: to come.
