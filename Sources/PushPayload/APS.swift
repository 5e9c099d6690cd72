/// The `aps` dictionary, typed and complete.
///
/// Source: Apple, "Generating a remote notification", tables 1–3, and "Starting and updating Live
/// Activities with ActivityKit push notifications". What stands under a key that is not listed there,
/// or has a type that the table does not allow, is kept in ``unknown`` and written back unchanged.
public struct APS: Hashable, Sendable {
  /// The text to show.
  public var alert: Alert?
  /// The number on the app's icon; 0 removes it.
  public var badge: Int?
  /// The sound to play.
  public var sound: Sound?
  /// What groups notifications in a thread.
  public var threadID: String?
  /// The identifier of a category that the app has registered.
  public var category: String?
  /// Whether the app is woken for a background update.
  public var contentAvailable = false
  /// Whether the service extension runs.
  public var mutableContent = false
  /// The window or scene to bring forward.
  public var targetContentID: String?
  /// How far the notification may interrupt.
  public var interruptionLevel: InterruptionLevel?
  /// The rank in a summary, 0…1; any number for Live Activities.
  public var relevanceScore: Double?
  /// What a Focus filter matches.
  public var filterCriteria: String?
  /// The Live Activity keys, if this is such a push.
  public var liveActivity: LiveActivity?
  /// Whether a widget or control has new content (push types `widgets` and `controls`).
  public var contentChanged = false
  /// Every other key, as it came.
  public var unknown: [String: JSONValue] = [:]

  /// Makes an `aps` dictionary without a key.
  public init() {}

  /// Makes one with the keys of an ordinary alert.
  ///
  /// - Parameters:
  ///   - alert: The text to show.
  ///   - badge: The number on the icon, 0 or more.
  ///   - sound: The sound to play.
  ///   - category: The identifier of a registered category.
  ///   - mutableContent: Whether the service extension runs.
  public init(
    alert: Alert?, badge: Int? = nil, sound: Sound? = nil, category: String? = nil,
    mutableContent: Bool = false
  ) {
    self.alert = alert
    self.badge = badge
    self.sound = sound
    self.category = category
    self.mutableContent = mutableContent
  }
}

extension APS {
  /// How far a notification may interrupt.
  public struct InterruptionLevel: RawRepresentable, Hashable, Sendable {
    /// The word in the payload.
    public let rawValue: String

    /// Names a level.
    ///
    /// - Parameter rawValue: The word in the payload.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Added to the list without lighting the screen.
    public static let passive = InterruptionLevel(rawValue: "passive")
    /// The default: at once, with sound and light.
    public static let active = InterruptionLevel(rawValue: "active")
    /// Breaks through Focus; needs the capability.
    public static let timeSensitive = InterruptionLevel(rawValue: "time-sensitive")
    /// Breaks through everything; needs Apple's entitlement.
    public static let critical = InterruptionLevel(rawValue: "critical")
    /// The four that Apple knows.
    public static let all: [InterruptionLevel] = [.passive, .active, .timeSensitive, .critical]
  }

  /// The `sound` key: a name, or a dictionary for critical alerts.
  public struct Sound: Hashable, Sendable {
    /// A file in the app or its container; `default` for the system's.
    public var name: String
    /// Whether it plays through silence; needs Apple's entitlement.
    public var isCritical: Bool
    /// 0…1 for critical alerts; `nil` outside them.
    public var volume: Double?

    /// Makes a sound.
    ///
    /// - Parameters:
    ///   - name: A file name, or `default`.
    ///   - isCritical: Whether it plays through silence.
    ///   - volume: 0…1, for critical alerts only.
    public init(_ name: String = "default", isCritical: Bool = false, volume: Double? = nil) {
      self.name = name
      self.isCritical = isCritical
      self.volume = volume
    }
  }
}
