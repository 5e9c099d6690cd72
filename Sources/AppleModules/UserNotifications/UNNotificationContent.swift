public import Foundation

/// Apple's `UNNotificationContent`, the immutable content of a notification.
///
/// Defaults and types are those of Apple's class. Objects, even mutable ones, are equal if their values are
/// equal.
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying, NSSecureCoding {
  /// The values of all properties.
  struct Storage {
    var title = ""
    var subtitle = ""
    var body = ""
    var badge: NSNumber?
    var sound: UNNotificationSound?
    var attachments: [UNNotificationAttachment] = []
    var userInfo: [AnyHashable: Any] = [:]
    var categoryIdentifier = ""
    var threadIdentifier = ""
    var launchImageName = ""
    var summaryArgument = ""
    var summaryArgumentCount = 1
    var targetContentIdentifier: String?
    var interruptionLevel = UNNotificationInterruptionLevel.active
    var relevanceScore = 0.0
    var filterCriteria: String?
    var communication: UNCommunication?
  }

  var storage: Storage

  /// Creates empty content.
  public override init() { storage = Storage() }

  init(copying other: UNNotificationContent) { storage = other.storage }

  /// The title.
  open var title: String { storage.title }
  /// The subtitle.
  open var subtitle: String { storage.subtitle }
  /// The body.
  open var body: String { storage.body }
  /// The app icon's badge: `nil` keeps it, 0 removes it.
  open var badge: NSNumber? { storage.badge }
  /// The sound.
  open var sound: UNNotificationSound? { storage.sound }
  /// The attachments.
  open var attachments: [UNNotificationAttachment] { storage.attachments }
  /// The custom data; for a remote notification the whole payload, `aps` included.
  open var userInfo: [AnyHashable: Any] { storage.userInfo }
  /// The identifier of a registered category.
  open var categoryIdentifier: String { storage.categoryIdentifier }
  /// The identifier that groups notifications.
  open var threadIdentifier: String { storage.threadIdentifier }
  /// The name of the launch image.
  @available(macOS, unavailable)
  open var launchImageName: String { storage.launchImageName }
  /// Ignored by the system.
  @available(watchOS, unavailable)
  open var summaryArgument: String { storage.summaryArgument }
  /// Ignored by the system.
  @available(watchOS, unavailable)
  open var summaryArgumentCount: Int { storage.summaryArgumentCount }
  /// The identifier of the window or scene to open.
  open var targetContentIdentifier: String? { storage.targetContentIdentifier }
  /// The interruption level.
  open var interruptionLevel: UNNotificationInterruptionLevel { storage.interruptionLevel }
  /// The relevance score, 0…1.
  open var relevanceScore: Double { storage.relevanceScore }
  /// The criteria that a Focus filter matches.
  open var filterCriteria: String? { storage.filterCriteria }

  /// Decodes archived content.
  ///
  /// - Parameter coder: The coder.
  public required init?(coder: NSCoder) { storage = Storage(coder) }

  /// Encodes the content.
  ///
  /// - Parameter coder: The coder.
  public func encode(with coder: NSCoder) { storage.encode(with: coder) }

  /// Always `true`.
  public static var supportsSecureCoding: Bool { true }

  /// Whether another object is equal: with the same values.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? UNNotificationContent).map { $0.storage.isEqual(to: storage) } ?? false
  }

  /// A hash that is the same for equal content.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(title)
    hasher.combine(body)
    return hasher.finalize()
  }

  /// Returns an immutable copy.
  ///
  /// - Parameter zone: Unused.
  /// - Returns: A `UNNotificationContent`.
  public func copy(with zone: NSZone? = nil) -> Any { UNNotificationContent(copying: self) }

  /// Returns a mutable copy.
  ///
  /// - Parameter zone: Unused.
  /// - Returns: A ``UNMutableNotificationContent``.
  public func mutableCopy(with zone: NSZone? = nil) -> Any {
    UNMutableNotificationContent(copying: self)
  }
}

/// Apple's `UNMutableNotificationContent`, the mutable content of a notification.
open class UNMutableNotificationContent: UNNotificationContent {
  /// Creates empty content.
  public override init() { super.init() }

  override init(copying other: UNNotificationContent) { super.init(copying: other) }

  /// Decodes archived content.
  ///
  /// - Parameter coder: The coder.
  public required init?(coder: NSCoder) { super.init(coder: coder) }

  /// The title.
  open override var title: String {
    get { storage.title }
    set { storage.title = newValue }
  }
  /// The subtitle.
  open override var subtitle: String {
    get { storage.subtitle }
    set { storage.subtitle = newValue }
  }
  /// The body.
  open override var body: String {
    get { storage.body }
    set { storage.body = newValue }
  }
  /// The app icon's badge: `nil` keeps it, 0 removes it.
  open override var badge: NSNumber? {
    get { storage.badge }
    set { storage.badge = newValue }
  }
  /// The sound.
  open override var sound: UNNotificationSound? {
    get { storage.sound }
    set { storage.sound = newValue }
  }
  /// The attachments.
  open override var attachments: [UNNotificationAttachment] {
    get { storage.attachments }
    set { storage.attachments = newValue }
  }
  /// The custom data; for a remote notification the whole payload.
  open override var userInfo: [AnyHashable: Any] {
    get { storage.userInfo }
    set { storage.userInfo = newValue }
  }
  /// The identifier of a registered category.
  open override var categoryIdentifier: String {
    get { storage.categoryIdentifier }
    set { storage.categoryIdentifier = newValue }
  }
  /// The identifier that groups notifications.
  open override var threadIdentifier: String {
    get { storage.threadIdentifier }
    set { storage.threadIdentifier = newValue }
  }
  /// The name of the launch image.
  @available(macOS, unavailable)
  open override var launchImageName: String {
    get { storage.launchImageName }
    set { storage.launchImageName = newValue }
  }
  /// Ignored by the system.
  @available(watchOS, unavailable)
  open override var summaryArgument: String {
    get { storage.summaryArgument }
    set { storage.summaryArgument = newValue }
  }
  /// Ignored by the system.
  @available(watchOS, unavailable)
  open override var summaryArgumentCount: Int {
    get { storage.summaryArgumentCount }
    set { storage.summaryArgumentCount = newValue }
  }
  /// The identifier of the window or scene to open.
  open override var targetContentIdentifier: String? {
    get { storage.targetContentIdentifier }
    set { storage.targetContentIdentifier = newValue }
  }
  /// The interruption level.
  open override var interruptionLevel: UNNotificationInterruptionLevel {
    get { storage.interruptionLevel }
    set { storage.interruptionLevel = newValue }
  }
  /// The relevance score, 0…1.
  open override var relevanceScore: Double {
    get { storage.relevanceScore }
    set { storage.relevanceScore = newValue }
  }
  /// The criteria that a Focus filter matches.
  open override var filterCriteria: String? {
    get { storage.filterCriteria }
    set { storage.filterCriteria = newValue }
  }
}

/// Apple's `UNNotificationInterruptionLevel`.
public enum UNNotificationInterruptionLevel: UInt, Sendable {
  /// The notification is added to the list without lighting up the screen.
  case passive = 0
  /// The notification is presented immediately, lights up the screen and may play a sound.
  case active = 1
  /// The notification breaks through Focus.
  case timeSensitive = 2
  /// The notification breaks through Focus and the ring/silent switch.
  case critical = 3
}
