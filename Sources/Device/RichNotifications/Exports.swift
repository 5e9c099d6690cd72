// The types of PushPayload that a configuration is made of, so that an extension imports RichNotifications alone. The other
// names of that module, such as Alert, stay out of the way of the app's and of SwiftUI's.
@_exported public import struct PushPayload.Dialect
@_exported public import struct PushPayload.DialectTable
