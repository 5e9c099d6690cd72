package import APNs
import Liquid
import PushCrypto
package import PushPayload
package import PushStore
import _OpenSSLCrypto

/// Makes the payload of each device of a send; compiled once, with every flaw found then.
///
/// A send in which nothing differs is encoded once, and all devices share its bytes; otherwise what
/// is the same is encoded once and what differs is filled in. The preview of a send is ``payload(for:)``
/// of a sample device.
package struct Composer: Sendable {
  package struct Options: Sendable {
    /// What becomes of a payload that is larger than APNs takes.
    package var overflow = Overflow.refuse
    /// Until when APNs keeps the push for a phone that is off.
    package var expiresAt: Timestamp?
    /// What a phone shows where it cannot open a sealed payload.
    package var placeholder = "New notification"
    /// The time that templates see; ``Composer/payload(for:at:)`` may name a later one.
    package var now: Timestamp

    package init(now: Timestamp) { self.now = now }
  }

  package enum Overflow: String, CaseIterable, Sendable {
    case refuse
    /// The body is cut between characters and ends in `…`; then, if need be, subtitle and title.
    case shorten
  }

  /// The `apns-push-type` header.
  package let pushType: PushType
  /// The `apns-priority` header.
  package let priority: Int
  /// The `apns-collapse-id` header: the caller's, or the notification's id, so that a repeat
  /// replaces what it repeats.
  package let collapseID: String
  /// The `apns-expiration` header in seconds since 1970.
  package let expiration: Int64?
  /// The bytes that every device without keys gets, where nothing differs.
  package let shared: [UInt8]?

  private let badge: PayloadShape?
  private let pieces: PayloadPieces
  private let seal: PayloadSeal?
  private let options: Options
  private let path: String

  /// Compiles a caller's `payload` for the notification with that id.
  package init(
    _ payload: JSONValue, notification id: String, path: String = "$", options: Options
  ) throws(ComposeError) {
    let field = BodyValue(payload, at: path)
    let draft = try PayloadDraft(field, notification: id)
    var options = options
    if let overflow = draft.overflow { options.overflow = overflow }
    pushType = draft.content.pushType
    priority = draft.content.priority
    collapseID = draft.content.collapseKey ?? id
    expiration = options.expiresAt.map { $0.milliseconds / 1000 }
    badge = draft.badge
    pieces = PayloadPieces(draft.shape)
    // Only a notification with a text runs the extension, which alone can open a seal.
    seal =
      draft.hasText
      ? PayloadSeal(
        notification: id, placeholder: options.placeholder,
        contentAvailable: draft.content.payload.aps.contentAvailable) : nil
    self.options = options
    self.path = path

    guard let bytes = pieces.shared else {
      shared = nil
      return
    }
    if bytes.count <= draft.content.pushType.payloadLimit {
      shared = bytes
    } else {
      shared = try Self.fitted(
        pieces, bytes, for: Self.nobody, limit: draft.content.pushType.payloadLimit,
        options: options, path: path)
    }
  }

  /// Whether a device's own values are needed to compose for it.
  package func needsRecipient(hasKeys: Bool) -> Bool { shared == nil || hasKeys && seal != nil }

  /// The payload for a device, sealed where the device has keys; `now` is the time that templates
  /// see, that of the options where none is named.
  package func payload(
    for device: Recipient, at now: Timestamp? = nil
  ) throws(ComposeError) -> [UInt8] {
    let now = now ?? options.now
    guard let seal, let publicKey = device.publicKey, let secret = device.authSecret else {
      if let shared { return shared }
      return try open(for: device, at: now, limit: pushType.payloadLimit)
    }
    let keys: SubscriptionKeys
    do throws(CryptoError) {
      keys = try SubscriptionKeys(publicKey: publicKey, authSecret: secret)
    } catch {
      throw ComposeError(.badKey, error.message)
    }
    let limit = seal.innerLimit(within: pushType.payloadLimit)
    return try seal.sealed(try open(for: device, at: now, limit: limit), to: keys)
  }

  /// The number that the app's icon shows after the push, where the push says one.
  package func badge(for device: Recipient?) -> Int64? {
    switch badge {
    case .fixed(let number): number.integer
    case .badge(let increment): PayloadShape.badge(of: device, adding: increment)
    default: nil
    }
  }

  /// The payload for a device of which nothing is known: what fails then fails for good.
  package func sample() throws(ComposeError) -> [UInt8] { try payload(for: Self.nobody) }

  private func open(
    for device: Recipient, at now: Timestamp, limit: Int
  ) throws(ComposeError) -> [UInt8] {
    let bytes = try pieces.bytes(for: device, now: now.milliseconds / 1000)
    guard bytes.count > limit else { return bytes }
    var options = options
    options.now = now
    return try Self.fitted(
      pieces, bytes, for: device, limit: limit, options: options, path: path)
  }

  /// The same with shorter texts, or an error.
  private static func fitted(
    _ pieces: PayloadPieces, _ bytes: [UInt8], for device: Recipient, limit: Int,
    options: Options, path: String
  ) throws(ComposeError) -> [UInt8] {
    let now = options.now.milliseconds / 1000
    if options.overflow == .shorten {
      let short = try pieces.shortened(for: device, now: now, excess: bytes.count - limit)
      let shorter = try pieces.bytes(for: device, now: now, shortened: short)
      if shorter.count <= limit { return shorter }
    }
    throw ComposeError(
      .tooLarge, "\(path) composes to \(bytes.count) bytes; APNs takes \(limit) of it", at: path)
  }

  private static let nobody = Recipient(Device(id: "", createdAt: Timestamp(milliseconds: 0)))
}

extension PayloadPieces {
  /// Texts so much shorter, from the body on, each ending in `…`.
  fileprivate func shortened(
    for device: Recipient, now: Int64, excess: Int
  ) throws(ComposeError) -> [PayloadShape.Role: [UInt8]] {
    var texts: [(role: PayloadShape.Role, text: String)] = []
    for piece in pieces {
      guard case .text(let text, let role) = piece, role != .other else { continue }
      texts.append((role, try text.text(for: device, now: now)))
    }
    var excess = excess
    var result: [PayloadShape.Role: [UInt8]] = [:]
    for (role, text) in texts.sorted(by: { $0.role.rawValue < $1.role.rawValue }) where excess > 0 {
      let ellipsis = Array("…".utf8)
      let characters = text.map { character in
        var escaped: [UInt8] = []
        JSONText.escape(String(character).utf8, into: &escaped)
        return escaped
      }
      let length = characters.reduce(0) { $0 + $1.count }
      var kept = length
      var count = characters.count
      while count > 0, length - kept - ellipsis.count < excess {
        count -= 1
        kept -= characters[count].count
      }
      // No space before the ellipsis.
      while count > 0, characters[count - 1] == [0x20] { count -= 1 }
      let short = Array(characters[..<count].joined()) + ellipsis
      guard short.count < length else { continue }
      result[role] = short
      excess -= length - short.count
    }
    return result
  }
}
