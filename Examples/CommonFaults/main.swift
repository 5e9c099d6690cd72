import NotificationHost

ExtensionMain.run { CommonFaults() }
