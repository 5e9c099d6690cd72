/// The `aps` dictionary of a payload, with a property for every key that Apple documents.
///
/// ```swift
/// var aps = APS(alert: Alert(title: "Rain", body: "At noon"), badge: 1, mutableContent: true)
/// aps.interruptionLevel = .timeSensitive
/// aps.threadID = "weather"
/// ```
///
/// Source: Apple, "Generating a remote notification", tables 1–3, and "Starting and updating Live
/// Activities with ActivityKit push notifications". Other keys, and values of a type that the tables do not
/// allow, are kept in ``unknown`` and written back unchanged.
public struct APS: Hashable, Sendable {
  /// The text to show.
  public var alert: Alert?
  /// The number on the app's icon; 0 removes it.
  public var badge: Int?
  /// The sound to play.
  public var sound: Sound?
  /// The identifier of the thread; the system groups notifications by it.
  public var threadID: String?
  /// The identifier of a category that the app has registered.
  public var category: String?
  /// Whether the push wakes the app for a background update.
  public var contentAvailable = false
  /// Whether the service extension runs.
  public var mutableContent = false
  /// The identifier of the window or scene to bring forward.
  public var targetContentID: String?
  /// The interruption level: when the notification is shown, and whether it breaks through Focus.
  public var interruptionLevel: InterruptionLevel?
  /// The relevance score: the rank in a summary, from 0 to 1; any number for Live Activities.
  public var relevanceScore: Double?
  /// The criteria that a Focus filter of the app matches.
  public var filterCriteria: String?
  /// The keys of a Live Activity push; `nil` if the push is of another kind.
  public var liveActivity: LiveActivity?
  /// Whether a widget or control has new content (push types `widgets` and `controls`).
  public var contentChanged = false
  /// Every other key, unchanged.
  public var unknown: [String: JSONValue] = [:]

  /// Makes an `aps` dictionary without a key.
  public init() {}

  /// Makes an `aps` dictionary with the keys of an alert.
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
  /// An interruption level, as Apple names them.
  public struct InterruptionLevel: RawRepresentable, Hashable, Sendable {
    /// The value in the payload.
    public let rawValue: String

    /// Makes a level from its value in the payload.
    ///
    /// - Parameter rawValue: The value in the payload.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Added to the list of notifications without lighting the screen or playing a sound.
    public static let passive = InterruptionLevel(rawValue: "passive")
    /// Shown at once, with a sound and a lit screen; the default.
    public static let active = InterruptionLevel(rawValue: "active")
    /// Breaks through Focus; needs the Time Sensitive Notifications capability.
    public static let timeSensitive = InterruptionLevel(rawValue: "time-sensitive")
    /// Breaks through Focus and silent mode; needs the critical alerts entitlement.
    public static let critical = InterruptionLevel(rawValue: "critical")
    /// The levels that Apple documents.
    public static let all: [InterruptionLevel] = [.passive, .active, .timeSensitive, .critical]
  }

  /// The `sound` key: a name, or a dictionary for critical alerts.
  public struct Sound: Hashable, Sendable {
    /// The name of a sound file in the app's bundle or its `Library/Sounds`; `default` for the system's sound.
    public var name: String
    /// Whether it plays in silent mode too; needs the critical alerts entitlement.
    public var isCritical: Bool
    /// The volume of a critical alert, from 0 to 1; `nil` for other sounds.
    public var volume: Double?

    /// Makes a sound.
    ///
    /// - Parameters:
    ///   - name: A file name, or `default`.
    ///   - isCritical: Whether it plays in silent mode too.
    ///   - volume: The volume from 0 to 1, for critical alerts only.
    public init(_ name: String = "default", isCritical: Bool = false, volume: Double? = nil) {
      self.name = name
      self.isCritical = isCritical
      self.volume = volume
    }
  }
}
