import PushPayload

/// The values that the app wants the server to store of this device, and the values that the server has confirmed.
///
/// The difference between the two is the next request. If a value changes several times between two requests, only its last
/// value is sent. If the answer to a request is lost, its members are in doubt and are sent again.
struct DeviceRecord: Hashable, Sendable {
  /// The state of the device's registration.
  enum Phase: String, Sendable {
    /// The device is registered and kept up to date.
    case active
    /// The push token is being withdrawn, or was; nothing else is sent.
    case stopped
    /// The device is being erased.
    case erasing
    /// The server says that the device was erased.
    case erased
  }

  /// A value that the server did not store, and why.
  struct Refusal: Hashable, Sendable {
    var value: JSONValue
    var reason: String
  }

  /// An update whose answer has not come yet.
  struct Flight: Hashable, Sendable {
    var id: String
    /// The process that sent it: `role` is the same each time that it runs, `session` is not.
    var role: String
    var session: String
    var startedAt: Int64
    /// The members that were in doubt before.
    var doubtful: Set<String>
  }

  let id: String
  /// The device's own secret, 32 bytes in base64url.
  let secret: String
  var phase = Phase.active
  /// The wanted members by their keys, without `null`; see ``MemberKey`` and ``TokenKey``.
  var wanted: [String: JSONValue] = [:]
  var known: [String: JSONValue] = [:]
  /// The members for which the server may have a value other than the one in ``known``.
  var doubtful: Set<String> = []
  var refused: [String: Refusal] = [:]
  /// The token that proves ``MemberKey/userID``, until the server has taken it.
  var proof: String?
  var flight: Flight?
  /// Whether the server knows the device.
  var isRegistered = false
  /// The time at which everything was last sent, in milliseconds since 1970.
  var refreshedAt: Int64?
  /// Whether the app was opened since the last update.
  var isOpened = false

  init(id: String, secret: String) {
    self.id = id
    self.secret = secret
  }
}

/// The keys of members: the names of a device's members at the server, and `user_attributes.NAME` for each attribute.
enum MemberKey {
  static let token = "push_token"
  static let userID = "user_id"
  static let userEmail = "user_email"
  static let tags = "tags"
  static let badge = "badge"
  static let pushEnabled = "push_enabled"
  static let pushQuiet = "push_quiet"
  static let notificationSettings = "notification_settings"
  static let development = "development"
  static let publicKey = "public_key"
  static let authSecret = "auth_secret"
  static let locale = "locale"
  static let timeZone = "time_zone"
  static let appVersion = "app_version"
  static let osVersion = "os_version"
  static let sdkVersion = "sdk_version"

  static let attributes = "user_attributes"
  private static let attributePrefix = attributes + "."

  static func attribute(_ name: String) -> String { attributePrefix + name }

  /// The attribute's name; `nil` if the key is not that of an attribute.
  static func attributeName(_ key: String) -> String? {
    key.hasPrefix(attributePrefix) ? String(key.dropFirst(attributePrefix.count)) : nil
  }

  /// Whether a server stores the member only with a user token.
  static func needsProof(_ key: String) -> Bool { key == userID || key == userEmail }

  /// Whether a path of the server's `dropped` names this member, or a part of its value.
  static func names(_ path: String, _ key: String) -> Bool {
    let own = Self.path(of: key)
    guard path.hasPrefix(own) else { return false }
    let rest = path.dropFirst(own.count)
    return rest.isEmpty || rest.first == "." || rest.first == "["
  }

  /// The JSON path by which the server names a member; for a token the path that names it in a problem.
  static func path(of key: String) -> String {
    if let token = TokenKey(key) { return token.path }
    guard let name = attributeName(key) else { return "$.device.\(key)" }
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    let shown = name.prefix(NearestName.limit)
    return "$.device.\(attributes)" + (isPlain && !name.isEmpty ? ".\(shown)" : "['\(shown)']")
  }
}

extension DeviceRecord {
  /// Sets a wanted member, or removes it.
  mutating func want(_ key: String, _ value: JSONValue?) {
    wanted[key] = value.flatMap { $0.isNull ? nil : $0 }
    if !isRefused(key) { refused[key] = nil }
  }

  /// Whether the server has refused the wanted value, or the removal of the value.
  func isRefused(_ key: String) -> Bool {
    refused[key].map { $0.value == wanted[key] ?? .null } ?? false
  }

  /// The wanted values that the server refuses to store.
  var refusals: [String: Refusal] { refused.filter { isRefused($0.key) } }

  /// Whether the server's value of a member must change.
  private func differs(_ key: String) -> Bool {
    if isRefused(key) {
      // A user who is not proven must not leave the device to the user before.
      return MemberKey.needsProof(key) && wanted[key] != nil
        && (known[key] != nil || doubtful.contains(key))
    }
    return doubtful.contains(key) || wanted[key] != known[key]
  }

  /// The members to send, by their keys; `null` removes one.
  ///
  /// A stopped device removes its push token and the tokens of its activities and widgets, and sends nothing else.
  var difference: [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    guard phase == .active else {
      guard phase == .stopped else { return [:] }
      for key in doubtful.union(known.keys)
      where key == MemberKey.token || TokenKey(key) != nil {
        members[key] = .null
      }
      // Before the tokens of activities, a device that the server may not know is registered by an update.
      if !isRegistered, !members.isEmpty { members[MemberKey.token] = .null }
      return members
    }
    for key in Set(wanted.keys).union(known.keys).union(doubtful) where differs(key) {
      members[key] = isRefused(key) ? .null : wanted[key] ?? .null
    }
    return members
  }

  /// The part of the difference that is sent in an update of the device.
  var deviceDifference: [String: JSONValue] {
    difference.filter { TokenKey($0.key) == nil }
  }

  /// The user whose inbox the server shows to this device, or an empty text without a user; `nil` while that changes.
  var inboxOwner: String? {
    guard phase == .active, isRegistered, difference[MemberKey.userID] == nil else { return nil }
    return knownUser
  }

  /// The user that the server has confirmed; empty without one.
  var knownUser: String { known[MemberKey.userID]?.string ?? "" }

  /// The user whom the app has signed in; empty without one.
  var wantedUser: String { wanted[MemberKey.userID]?.string ?? "" }

  /// The user whom the next update takes the device from, if the server certainly has them; `nil` if there is none.
  var leavingUser: String? {
    guard isRegistered, !doubtful.contains(MemberKey.userID), !knownUser.isEmpty,
      knownUser != wantedUser
    else { return nil }
    return knownUser
  }

  /// Whether an update must be sent.
  var needsUpdate: Bool {
    switch phase {
    case .active: !isRegistered || isOpened || !deviceDifference.isEmpty
    case .stopped: !deviceDifference.isEmpty
    case .erasing, .erased: false
    }
  }

  /// Doubts everything, so that all of it is sent again, refused values included.
  ///
  /// Without a token the user stays as the server has stored it, because a user that is sent again would not be proven.
  mutating func doubtAll() {
    let keys = Set(wanted.keys).union(known.keys).filter { key in
      proof != nil || !MemberKey.needsProof(key)
    }
    // If the server does not know the device, everything differs anyway.
    if isRegistered {
      doubtful.formUnion(keys)
      flight?.doubtful.formUnion(keys)
    }
    refused = refused.filter { !keys.contains($0.key) }
  }

  /// Doubts all confirmed values, because the server says that it does not know the device.
  ///
  /// The server may be wrong, so values that are not wanted any more must still be removed.
  mutating func forgetConfirmed() {
    isRegistered = false
    doubtful.formUnion(known.keys)
    known = [:]
  }
}
