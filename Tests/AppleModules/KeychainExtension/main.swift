import KeychainFixture
import NotificationHost

ExtensionMain.run { DecryptingService() }
