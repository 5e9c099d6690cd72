import Liquid
import PushCrypto
package import PushModel
package import PushPayload
import _OpenSSLCrypto

/// A composer of the payloads of one send, one for each device.
///
/// The caller's payload is checked and compiled once. If nothing in it differs by device, all
/// devices share the same bytes. Otherwise the fixed parts are encoded once, and the texts and
/// badge of each device are filled in.
package struct Composer: Sendable {
  package struct Options: Sendable {
    /// The action for a payload that is larger than APNs accepts.
    package var overflow = Overflow.refuse
    /// The time until which APNs keeps the push for a device that is offline.
    package var expiresAt: Timestamp?
    /// The alert of a device that cannot decrypt its payload.
    package var placeholder = "New notification"
    /// The multiple of bytes to which payloads are padded before they are encrypted; 1 does not
    /// pad.
    package var paddingMultiple = 1
    /// The time that templates render as `now`; ``Composer/payload(for:at:)`` may take a later one.
    package var now: Timestamp

    package init(now: Timestamp) { self.now = now }
  }

  package enum Overflow: String, CaseIterable, Sendable {
    /// The payload is an error.
    case refuse
    /// The body is cut between characters and ends in `…`, then the subtitle, then the title.
    case shorten
  }

  /// The `apns-push-type` header.
  package let pushType: PushType
  /// The `apns-priority` header.
  package let priority: Int
  /// The `apns-collapse-id` header: the caller's, or the notification's id, so that a push that is
  /// sent twice is shown once.
  package let collapseID: String
  /// The `apns-expiration` header, in seconds since 1970.
  package let expiration: Int64?
  /// The payload of every device without encryption keys; `nil` if it differs by device.
  package let shared: [UInt8]?

  private let badge: PayloadTemplate?
  private let compiled: CompiledPayload
  /// The encryptor for devices with keys; `nil` if the push shows no text.
  private let encryptor: PayloadEncryptor?
  private let options: Options
  private let path: String

  /// Compiles a caller's payload.
  ///
  /// `payload` is the request's `payload`, and `path` its JSON path for errors. `id` is the
  /// notification's id.
  ///
  /// - Throws: ``ComposeError`` if the payload is not valid, or too large for every device.
  package init(
    _ payload: JSONValue, notification id: String, path: String = "$", options: Options
  ) throws(ComposeError) {
    let field = BodyValue(payload, at: path)
    let parsed = try ParsedPayload(field, notification: id)
    var options = options
    if let overflow = parsed.overflow { options.overflow = overflow }
    pushType = parsed.content.pushType
    priority = parsed.content.priority
    collapseID = parsed.content.collapseKey ?? id
    expiration = options.expiresAt.map { $0.milliseconds / 1000 }
    badge = parsed.badge
    compiled = CompiledPayload(parsed.template)
    // Only a notification with text runs the service extension, which decrypts.
    encryptor =
      parsed.hasText
      ? PayloadEncryptor(
        notification: id, contentAvailable: parsed.content.payload.aps.contentAvailable,
        limit: pushType.payloadLimit, options: options) : nil
    self.options = options
    self.path = path

    guard let bytes = compiled.shared else {
      shared = nil
      return
    }
    if bytes.count <= parsed.content.pushType.payloadLimit {
      shared = bytes
    } else {
      shared = try Self.fitted(
        compiled, bytes, for: Self.unknownDevice, limit: parsed.content.pushType.payloadLimit,
        options: options, path: path)
    }
  }

  /// Returns whether composing a payload reads the device's values.
  package func needsRecipient(hasKeys: Bool) -> Bool {
    shared == nil || hasKeys && encryptor != nil
  }

  /// Composes the payload for a device, and encrypts it if the device has keys.
  ///
  /// `now` is the time that templates render as `now`; `nil` uses that of the options.
  ///
  /// - Throws: ``ComposeError`` if the payload cannot be made for this device.
  package func payload(
    for device: Recipient, at now: Timestamp? = nil
  ) throws(ComposeError) -> [UInt8] {
    let now = now ?? options.now
    guard let encryptor, let publicKey = device.publicKey, let secret = device.authSecret else {
      if let shared { return shared }
      return try plaintext(for: device, at: now, limit: pushType.payloadLimit)
    }
    let keys: SubscriptionKeys
    do throws(CryptoError) {
      keys = try SubscriptionKeys(publicKey: publicKey, authSecret: secret)
    } catch {
      throw ComposeError(.badKey, error.message)
    }
    let plaintext = try plaintext(for: device, at: now, limit: encryptor.plaintextLimit)
    return try encryptor.encrypt(plaintext, to: keys)
  }

  /// Returns the badge that the push sets on a device; `nil` if it sets none.
  package func badge(for device: Recipient?) -> Int64? {
    switch badge {
    case .fixed(let number): number.integer
    case .badge(let increment): PayloadTemplate.badge(of: device, adding: increment)
    default: nil
    }
  }

  /// Returns the locale of a device's texts; `nil` if no text differs by locale.
  func language(for device: Recipient) -> String? { compiled.locale(for: device) }

  /// Composes the payload for a device without known values; if that fails, it fails for every
  /// device.
  ///
  /// A text that cannot be rendered without values, as `{{ custom.spent | divided_by: custom.visits }}`, is empty.
  package func sample() throws(ComposeError) -> [UInt8] {
    if let shared { return shared }
    return try plaintext(
      for: Self.unknownDevice, at: options.now, limit: pushType.payloadLimit, isSample: true)
  }

  private func plaintext(
    for device: Recipient, at now: Timestamp, limit: Int, isSample: Bool = false
  ) throws(ComposeError) -> [UInt8] {
    let bytes = try compiled.bytes(
      for: device, now: now.milliseconds / 1000, isSample: isSample)
    guard bytes.count > limit else { return bytes }
    var options = options
    options.now = now
    return try Self.fitted(
      compiled, bytes, for: device, limit: limit, options: options, path: path)
  }

  /// Shortens the texts of a payload that exceeds the limit, or throws an error.
  private static func fitted(
    _ compiled: CompiledPayload, _ bytes: [UInt8], for device: Recipient, limit: Int,
    options: Options, path: String
  ) throws(ComposeError) -> [UInt8] {
    let now = options.now.milliseconds / 1000
    if options.overflow == .shorten {
      let texts = try compiled.shortenedTexts(for: device, now: now, excess: bytes.count - limit)
      let shorter = try compiled.bytes(for: device, now: now, shortened: texts)
      if shorter.count <= limit { return shorter }
    }
    let cure =
      options.overflow == .shorten
      ? "shorter texts do not suffice, so send less beside them"
      : "shorten its texts, or set _overflow to shorten"
    throw ComposeError(
      .tooLarge,
      "\(path) is \(bytes.count) bytes when composed, and the limit is \(limit) bytes; \(cure)",
      at: path)
  }

  private static let unknownDevice = Recipient(
    Device(id: "", createdAt: Timestamp(milliseconds: 0)))
}
