// The types of PushPayload that a configuration needs, so that an extension imports only RichNotifications. The other names of
// that module, such as Alert, are not exported, because they would conflict with names of the app and of SwiftUI.
@_exported public import struct PushPayload.Dialect
@_exported public import struct PushPayload.DialectTable
