import PushPayload

/// The phone's own half of the question why a notification was not shown.
///
/// Show it on a support page of the app, with ``supportCode``: a person who runs the server passes the code to
/// `martlet explain --device`. It has no push token, no key, and nothing of the person.
public struct PushDiagnostics: Hashable, Sendable {
  /// One fact about the registration or the settings of the app.
  public struct Fact: Hashable, Sendable, Identifiable {
    /// The heading, such as “Lock screen”; an app may translate it.
    public let title: String
    /// The value, such as “off”.
    public let value: String
    /// Whether the fact can be the reason why a notification was not shown.
    public let isFault: Bool

    /// The title, which no other fact has.
    public var id: String { title }

    /// Creates a fact, such as one for a preview.
    ///
    /// - Parameters:
    ///   - title: The heading.
    ///   - value: The value.
    ///   - isFault: Whether the fact can be the reason why a notification was not shown.
    public init(title: String, value: String, isFault: Bool = false) {
      (self.title, self.value, self.isFault) = (title, value, isFault)
    }
  }

  /// The device's identifier on the server; `nil` before the device has one.
  public let supportCode: String?
  /// The facts in the order in which a page shows them.
  public let facts: [Fact]

  /// Creates diagnostics, such as those for a preview.
  ///
  /// - Parameters:
  ///   - supportCode: The device's identifier on the server.
  ///   - facts: The facts.
  public init(supportCode: String?, facts: [Fact]) {
    (self.supportCode, self.facts) = (supportCode, facts)
  }
}

extension PushDiagnostics {
  /// Makes the diagnostics of a record; `nil` is a device that is not stored, or cannot be read now.
  init(of record: DeviceRecord?, _ status: PushStatus) {
    let state = status.state.kind
    let faults: [PushStatus.State.Kind] = [.off, .damaged, .refused, .stopped, .erased]
    var facts = [
      Fact(
        title: "Server", value: status.state.description, isFault: faults.contains(state))
    ]
    guard let record else {
      self.init(supportCode: nil, facts: facts)
      return
    }
    facts.append(Self.token(of: record))
    let isDevelopment = record.wanted[MemberKey.development] == true
    facts.append(
      Fact(title: "Environment", value: isDevelopment ? "development" : "production"))
    facts += Self.permission(of: record)
    let isSignedIn = record.wanted[MemberKey.userID] != nil
    facts.append(Fact(title: "Signed in", value: isSignedIn ? "yes" : "no"))
    for (title, key) in [
      ("App version", MemberKey.appVersion), ("System version", MemberKey.osVersion),
      ("Language", MemberKey.locale), ("Time zone", MemberKey.timeZone),
    ] {
      guard let value = record.wanted[key]?.string else { continue }
      facts.append(Fact(title: title, value: value))
    }
    facts += status.problems.map { Fact(title: $0.path, value: $0.reason, isFault: true) }
    self.init(supportCode: record.id, facts: facts)
  }

  private static func token(of record: DeviceRecord) -> Fact {
    let wanted = record.wanted[MemberKey.token]
    let value =
      wanted == nil
      ? "missing" : wanted == record.known[MemberKey.token] ? "registered" : "not sent yet"
    return Fact(title: "Push token", value: value, isFault: wanted == nil)
  }

  /// The permission, and the settings that keep notifications off the lock screen.
  private static func permission(of record: DeviceRecord) -> [Fact] {
    let isEnabled = record.wanted[MemberKey.pushEnabled]?.bool
    let isQuiet = record.wanted[MemberKey.pushQuiet] == true
    let value = isEnabled.map { !$0 ? "not allowed" : isQuiet ? "delivered quietly" : "allowed" }
    var facts = [
      Fact(
        title: "Notifications", value: value ?? "not known", isFault: isEnabled == false || isQuiet)
    ]
    let settings = record.wanted[MemberKey.notificationSettings]
    // Sounds and badges keep no notification from being shown.
    let switches: [(title: String, name: String, faulty: Bool?)] = [
      ("Banners", "alerts", false), ("Lock screen", "lock_screen", false),
      ("Notification Center", "notification_center", false), ("Sounds", "sounds", nil),
      ("Badges", "badges", nil), ("Scheduled summary", "scheduled_summary", true),
      ("Time-sensitive notifications", "time_sensitive", false),
    ]
    for (title, name, faulty) in switches {
      guard let isOn = settings?[name]?.bool else { continue }
      facts.append(Fact(title: title, value: isOn ? "on" : "off", isFault: isOn == faulty))
    }
    return facts
  }
}

extension PushDevice {
  /// Returns the phone's own half of the question why a notification was not shown.
  ///
  /// It reads what is stored on the phone, and sends nothing. Call `refreshPermission()` first, so that the settings are those
  /// of now.
  ///
  /// - Returns: The facts, and the code to give to support.
  public func diagnostics() -> PushDiagnostics {
    PushDiagnostics(of: (try? files.record()) ?? nil, board.status)
  }
}
