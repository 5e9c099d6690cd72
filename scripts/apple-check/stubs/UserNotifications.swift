// What Martlet uses of Apple's UserNotifications beyond the look-alike in Sources/UserNotifications: nothing.
