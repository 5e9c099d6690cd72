// Empty: Martlet uses no declaration of Apple's UserNotifications that Sources/AppleModules/UserNotifications lacks.
