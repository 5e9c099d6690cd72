import PushPayload
import _OpenSSLCrypto

/// A generator of the `apns-id` of each push in one send.
///
/// ``Identifiers/apnsID(send:device:)`` returns the same ids one at a time.
struct PushIdentifiers {
  /// The bytes to hash: the send's id and a slash, followed by the id of the current device.
  private var name: [UInt8]
  /// The index at which the device's id begins in ``name``.
  private let deviceStart: Int

  init(send: String) {
    name = Array(send.utf8) + [UInt8(ascii: "/")]
    deviceStart = name.count
  }

  mutating func apnsID(device: String) -> String {
    name.removeLast(name.count - deviceStart)
    name.append(contentsOf: device.utf8)
    let (high, low) = OpenSSLCrypto.sha256Start(name)
    return String(uuid: high & ~0xf000 | 0x8000, low & ~(3 << 62) | 2 << 62)
  }
}
