public import Foundation

/// Apple's `UNNotificationCategory`, a kind of notification with its actions.
///
/// Objects are equal if their values are equal.
///
/// Source: Apple, `UNNotificationCategory`.
public final class UNNotificationCategory: NSObject, NSCopying, NSSecureCoding {
  /// The identifier, as in a notification's `categoryIdentifier`.
  public let identifier: String
  /// The actions, in order.
  public let actions: [UNNotificationAction]
  /// The identifiers of related intents.
  public let intentIdentifiers: [String]
  /// The placeholder for the body while previews are hidden; empty for the system's.
  @available(watchOS, unavailable)
  public let hiddenPreviewsBodyPlaceholder: String
  /// The format of the summary of several notifications; empty for the system's.
  @available(watchOS, unavailable)
  public let categorySummaryFormat: String
  /// The options.
  public let options: UNNotificationCategoryOptions

  /// Creates a category.
  ///
  /// - Parameters:
  ///   - identifier: The identifier, as in a notification's `categoryIdentifier`.
  ///   - actions: The actions, in order.
  ///   - intentIdentifiers: The identifiers of related intents.
  ///   - hiddenPreviewsBodyPlaceholder: The placeholder for the body while previews are hidden.
  ///   - categorySummaryFormat: The format of the summary of several notifications.
  ///   - options: The options.
  @available(watchOS, unavailable)
  public init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    hiddenPreviewsBodyPlaceholder: String?, categorySummaryFormat: String?,
    options: UNNotificationCategoryOptions = []
  ) {
    self.identifier = identifier
    self.actions = actions
    self.intentIdentifiers = intentIdentifiers
    self.hiddenPreviewsBodyPlaceholder = hiddenPreviewsBodyPlaceholder ?? ""
    self.categorySummaryFormat = categorySummaryFormat ?? ""
    self.options = options
  }

  /// Creates a category with a placeholder for hidden previews.
  ///
  /// - Parameters:
  ///   - identifier: The identifier, as in a notification's `categoryIdentifier`.
  ///   - actions: The actions, in order.
  ///   - intentIdentifiers: The identifiers of related intents.
  ///   - hiddenPreviewsBodyPlaceholder: The placeholder for the body while previews are hidden.
  ///   - options: The options.
  @available(watchOS, unavailable)
  public convenience init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    hiddenPreviewsBodyPlaceholder: String, options: UNNotificationCategoryOptions = []
  ) {
    self.init(
      identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers,
      hiddenPreviewsBodyPlaceholder: hiddenPreviewsBodyPlaceholder, categorySummaryFormat: nil,
      options: options)
  }

  /// Creates a category with the system's placeholder and summary format.
  ///
  /// - Parameters:
  ///   - identifier: The identifier, as in a notification's `categoryIdentifier`.
  ///   - actions: The actions, in order.
  ///   - intentIdentifiers: The identifiers of related intents.
  ///   - options: The options.
  public convenience init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    options: UNNotificationCategoryOptions = []
  ) {
    self.init(
      identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers,
      hiddenPreviewsBodyPlaceholder: nil, categorySummaryFormat: nil, options: options)
  }

  /// Decodes an archived category.
  ///
  /// - Parameter coder: The coder.
  public required convenience init?(coder: NSCoder) {
    guard let identifier = coder.text("identifier") else { return nil }
    let classes: [AnyClass] = [
      NSArray.self, UNNotificationAction.self, UNTextInputNotificationAction.self,
    ]
    self.init(
      identifier: identifier,
      actions: coder.decodeObject(of: classes, forKey: "actions") as? [UNNotificationAction] ?? [],
      intentIdentifiers: coder.texts("intents"),
      hiddenPreviewsBodyPlaceholder: coder.text("placeholder"),
      categorySummaryFormat: coder.text("summary"),
      options: .init(rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "options"))))
  }

  /// Encodes the category.
  ///
  /// - Parameter coder: The coder.
  public func encode(with coder: NSCoder) {
    coder.encode(identifier, forKey: "identifier")
    coder.encode(NSArray(array: actions), forKey: "actions")
    coder.encode(NSArray(array: intentIdentifiers), forKey: "intents")
    coder.encode(hiddenPreviewsBodyPlaceholder, forKey: "placeholder")
    coder.encode(categorySummaryFormat, forKey: "summary")
    coder.encode(Int(bitPattern: options.rawValue), forKey: "options")
  }

  /// Always `true`.
  public static var supportsSecureCoding: Bool { true }

  /// Whether another object is equal: with the same values.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationCategory else { return false }
    return other.identifier == identifier && other.actions == actions
      && other.intentIdentifiers == intentIdentifiers
      && other.hiddenPreviewsBodyPlaceholder == hiddenPreviewsBodyPlaceholder
      && other.categorySummaryFormat == categorySummaryFormat && other.options == options
  }

  /// A hash that is the same for equal categories.
  public override var hash: Int { identifier.hashValue }

  /// Returns this object, because it is immutable.
  ///
  /// - Parameter zone: Unused.
  /// - Returns: This object.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Apple's `UNNotificationCategoryOptions`.
///
/// Source: Apple, `UNNotificationCategoryOptions`.
public struct UNNotificationCategoryOptions: OptionSet, Hashable, Sendable {
  /// The raw value.
  public let rawValue: UInt

  /// Creates options from a raw value.
  ///
  /// - Parameter rawValue: The raw value.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The app receives dismissals.
  public static let customDismissAction = UNNotificationCategoryOptions(rawValue: 1)
  /// Notifications are shown in CarPlay.
  @available(macOS, unavailable)
  public static let allowInCarPlay = UNNotificationCategoryOptions(rawValue: 2)
  /// The title is shown while previews are hidden.
  public static let hiddenPreviewsShowTitle = UNNotificationCategoryOptions(rawValue: 4)
  /// The subtitle is shown while previews are hidden.
  public static let hiddenPreviewsShowSubtitle = UNNotificationCategoryOptions(rawValue: 8)
  /// Siri may announce notifications; ignored by the system since iOS 15.
  @available(macOS, unavailable)
  public static let allowAnnouncement = UNNotificationCategoryOptions(rawValue: 16)
}
