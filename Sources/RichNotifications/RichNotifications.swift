// RichNotifications: to come.
