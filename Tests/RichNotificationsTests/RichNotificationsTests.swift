// RichNotificationsTests: to come.
