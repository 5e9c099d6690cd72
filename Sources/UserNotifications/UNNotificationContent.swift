public import Foundation

/// Apple's `UNNotificationContent`: what a notification shows, immutable.
///
/// Defaults and types as in Apple, `UNNotificationContent`. Objects are compared by value, mutable
/// ones too.
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying, NSSecureCoding {
  /// Every property, so that a copy is one assignment.
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
  }

  var storage: Storage

  /// Makes empty content.
  public override init() { storage = Storage() }

  init(copying other: UNNotificationContent) { storage = other.storage }

  /// The first line.
  open var title: String { storage.title }
  /// The second line.
  open var subtitle: String { storage.subtitle }
  /// The text.
  open var body: String { storage.body }
  /// The number on the icon: `nil` leaves it, 0 removes it.
  open var badge: NSNumber? { storage.badge }
  /// The sound.
  open var sound: UNNotificationSound? { storage.sound }
  /// The files to show.
  open var attachments: [UNNotificationAttachment] { storage.attachments }
  /// For a remote notification its whole payload, `aps` included.
  open var userInfo: [AnyHashable: Any] { storage.userInfo }
  /// The identifier of a registered category.
  open var categoryIdentifier: String { storage.categoryIdentifier }
  /// What groups notifications.
  open var threadIdentifier: String { storage.threadIdentifier }
  /// The image shown while the app launches.
  open var launchImageName: String { storage.launchImageName }
  /// Ignored by the system.
  open var summaryArgument: String { storage.summaryArgument }
  /// Ignored by the system.
  open var summaryArgumentCount: Int { storage.summaryArgumentCount }
  /// The window or scene to bring forward.
  open var targetContentIdentifier: String? { storage.targetContentIdentifier }
  /// How far it interrupts.
  open var interruptionLevel: UNNotificationInterruptionLevel { storage.interruptionLevel }
  /// The rank in a summary, 0…1.
  open var relevanceScore: Double { storage.relevanceScore }
  /// What a Focus filter matches.
  open var filterCriteria: String? { storage.filterCriteria }

  /// Reads archived content.
  ///
  /// - Parameter coder: The archive.
  public required init?(coder: NSCoder) { storage = Storage(coder) }

  /// Writes the content to an archive.
  ///
  /// - Parameter coder: The archive.
  public func encode(with coder: NSCoder) { storage.encode(with: coder) }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// Whether another object is content of the same values.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? UNNotificationContent).map { $0.storage.isEqual(to: storage) } ?? false
  }

  /// The same for equal content.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(title)
    hasher.combine(body)
    return hasher.finalize()
  }

  /// An immutable copy.
  ///
  /// - Parameter zone: Unused.
  /// - Returns: A `UNNotificationContent`.
  public func copy(with zone: NSZone? = nil) -> Any { UNNotificationContent(copying: self) }

  /// A copy that can be changed.
  ///
  /// - Parameter zone: Unused.
  /// - Returns: A ``UNMutableNotificationContent``.
  public func mutableCopy(with zone: NSZone? = nil) -> Any {
    UNMutableNotificationContent(copying: self)
  }
}

/// Apple's `UNMutableNotificationContent`: content that an extension changes.
open class UNMutableNotificationContent: UNNotificationContent {
  /// Makes empty content.
  public override init() { super.init() }

  override init(copying other: UNNotificationContent) { super.init(copying: other) }

  /// Reads archived content.
  ///
  /// - Parameter coder: The archive.
  public required init?(coder: NSCoder) { super.init(coder: coder) }

  /// The first line.
  open override var title: String {
    get { storage.title }
    set { storage.title = newValue }
  }
  /// The second line.
  open override var subtitle: String {
    get { storage.subtitle }
    set { storage.subtitle = newValue }
  }
  /// The text.
  open override var body: String {
    get { storage.body }
    set { storage.body = newValue }
  }
  /// The number on the icon: `nil` leaves it, 0 removes it.
  open override var badge: NSNumber? {
    get { storage.badge }
    set { storage.badge = newValue }
  }
  /// The sound.
  open override var sound: UNNotificationSound? {
    get { storage.sound }
    set { storage.sound = newValue }
  }
  /// The files to show.
  open override var attachments: [UNNotificationAttachment] {
    get { storage.attachments }
    set { storage.attachments = newValue }
  }
  /// What the app finds with the notification.
  open override var userInfo: [AnyHashable: Any] {
    get { storage.userInfo }
    set { storage.userInfo = newValue }
  }
  /// The identifier of a registered category.
  open override var categoryIdentifier: String {
    get { storage.categoryIdentifier }
    set { storage.categoryIdentifier = newValue }
  }
  /// What groups notifications.
  open override var threadIdentifier: String {
    get { storage.threadIdentifier }
    set { storage.threadIdentifier = newValue }
  }
  /// The image shown while the app launches.
  open override var launchImageName: String {
    get { storage.launchImageName }
    set { storage.launchImageName = newValue }
  }
  /// Ignored by the system.
  open override var summaryArgument: String {
    get { storage.summaryArgument }
    set { storage.summaryArgument = newValue }
  }
  /// Ignored by the system.
  open override var summaryArgumentCount: Int {
    get { storage.summaryArgumentCount }
    set { storage.summaryArgumentCount = newValue }
  }
  /// The window or scene to bring forward.
  open override var targetContentIdentifier: String? {
    get { storage.targetContentIdentifier }
    set { storage.targetContentIdentifier = newValue }
  }
  /// How far it interrupts.
  open override var interruptionLevel: UNNotificationInterruptionLevel {
    get { storage.interruptionLevel }
    set { storage.interruptionLevel = newValue }
  }
  /// The rank in a summary, 0…1.
  open override var relevanceScore: Double {
    get { storage.relevanceScore }
    set { storage.relevanceScore = newValue }
  }
  /// What a Focus filter matches.
  open override var filterCriteria: String? {
    get { storage.filterCriteria }
    set { storage.filterCriteria = newValue }
  }
}

/// Apple's `UNNotificationInterruptionLevel`: how far a notification may interrupt.
public enum UNNotificationInterruptionLevel: UInt, Sendable {
  /// Added to the list without lighting the screen.
  case passive = 0
  /// At once, with sound and light.
  case active = 1
  /// Breaks through Focus.
  case timeSensitive = 2
  /// Breaks through everything.
  case critical = 3
}
