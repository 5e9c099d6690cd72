import PushPayload
package import PushStore
import _OpenSSLCrypto

/// How ids and keys are made.
package enum Identifiers {
  /// 24 hex digits, as this API's callers know ids: 96 random bits.
  package static func makeObjectID() -> String { hex(OpenSSLCrypto.randomBytes(12)) }

  /// A new key for the HTTP API, of which only ``hash(ofKey:)`` is stored.
  package static func key() -> String { "mk_" + hex(OpenSSLCrypto.randomBytes(32)) }

  /// What signs a webhook's calls.
  static func webhookSecret() -> String { "whsec_" + hex(OpenSSLCrypto.randomBytes(32)) }

  package static func hash(ofKey key: String) -> [UInt8] {
    OpenSSLCrypto.sha256(Array(key.utf8))
  }

  /// The audience of everyone in an app: one for all sends to `"*"`.
  static func everyone(in app: String) -> String { derived("everyone/" + app, bytes: 12) }

  /// The audience of an app's test devices.
  static func testDevices(in app: String) -> String { derived("test devices/" + app, bytes: 12) }

  /// The message of an app that an `Idempotency-Key` made, so that a repeat finds it.
  static func message(madeBy key: String, in app: String) -> String {
    derived("message/\(app)/\(key)", bytes: 12)
  }

  /// The same for the same send and device, so that a push that is sent again is the same push.
  ///
  /// A UUID of version 8 (RFC 9562, section 5.8) in lower case, as APNs wants it.
  static func apnsID(send: String, device: String) -> String {
    var ids = PushIdentifiers(send: send)
    return ids.apnsID(device: device)
  }

  private static func derived(_ text: String, bytes: Int) -> String {
    hex(Array(OpenSSLCrypto.sha256(Array(text.utf8)).prefix(bytes)))
  }

  static func hex(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text.append(digit(byte >> 4))
      text.append(digit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
  }
}

/// The ids of one send's pushes, as ``Identifiers/apnsID(send:device:)`` makes them.
struct PushIdentifiers {
  /// What is hashed: the send, and behind it one device after the other.
  private var name: [UInt8]
  private let start: Int

  init(send: String) {
    name = Array(send.utf8) + [UInt8(ascii: "/")]
    start = name.count
  }

  mutating func apnsID(device: String) -> String {
    name.removeLast(name.count - start)
    name.append(contentsOf: device.utf8)
    let (high, low) = OpenSSLCrypto.sha256Start(name)
    return String(uuid: high & ~0xf000 | 0x8000, low & ~(3 << 62) | 2 << 62)
  }
}

/// Ids that are made together: each is above the one before, so that an index of them grows at one end,
/// by 64 random bits, so that none can be told from another.
struct IdentifierSequence {
  private var high: UInt32 = 0
  private var low: UInt64 = 0
  /// Random bytes to be used, a page of them at a time.
  private var source: ArraySlice<UInt8> = []

  init() {
    high = UInt32(truncatingIfNeeded: random())
    low = random()
  }

  /// 24 hex digits.
  mutating func next() -> String {
    let (sum, hasWrapped) = low.addingReportingOverflow(random())
    low = sum
    if hasWrapped { high &+= 1 }
    let bytes =
      withUnsafeBytes(of: high.bigEndian, Array.init)
      + withUnsafeBytes(of: low.bigEndian, Array.init)
    return Identifiers.hex(bytes)
  }

  private mutating func random() -> UInt64 {
    if source.isEmpty { source = OpenSSLCrypto.randomBytes(4096)[...] }
    return (0..<8).reduce(0) { number, _ in number << 8 | UInt64(source.removeFirst()) }
  }
}

extension APIKey {
  /// A new key and the record of it.
  package static func make(
    role: Role, app: String?, limits: Limits = Limits(), at now: Timestamp
  ) -> (key: String, record: APIKey) {
    let key = Identifiers.key()
    let record = APIKey(
      id: Identifiers.makeObjectID(), app: app, role: role, hash: Identifiers.hash(ofKey: key),
      limits: limits, createdAt: now)
    return (key, record)
  }

  /// Whether this is the key with that hash, in the same time wherever the two differ first.
  func has(hash other: [UInt8]) -> Bool { OpenSSLCrypto.constantTimeEqual(hash, other) }
}

extension AppStore {
  /// The key that a caller names by its hash.
  ///
  /// An index finds it, by steps whose time tells something of the hashes in it, and nothing of a key; what
  /// it found is compared once more, so that no way of comparing in a store (by a collation, by a prefix)
  /// admits anyone.
  func admittedKey(hash: [UInt8]) async throws(StoreError) -> APIKey? {
    guard let key = try await key(hash: hash), key.has(hash: hash) else { return nil }
    return key
  }
}
