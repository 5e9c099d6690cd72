import NotificationHost

ExtensionMain.run(CommonFaults.self)
