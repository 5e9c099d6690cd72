public import Foundation

/// Apple's `UNNotificationCategory`: a kind of notification, and the buttons under it.
///
/// Objects are compared by value.
///
/// Source: Apple, `UNNotificationCategory`.
public final class UNNotificationCategory: NSObject, NSCopying, NSSecureCoding {
  /// What a notification's `categoryIdentifier` names.
  public let identifier: String
  /// The buttons, in order.
  public let actions: [UNNotificationAction]
  /// The intents that go with such notifications.
  public let intentIdentifiers: [String]
  /// What stands for the text where previews are hidden; empty for the system's own words.
  public let hiddenPreviewsBodyPlaceholder: String
  /// How a summary of several counts them; empty for the system's own words.
  public let categorySummaryFormat: String
  /// How such notifications behave.
  public let options: UNNotificationCategoryOptions

  /// Makes a category.
  ///
  /// - Parameters:
  ///   - identifier: What a notification's `categoryIdentifier` names.
  ///   - actions: The buttons, in order.
  ///   - intentIdentifiers: The intents that go with such notifications.
  ///   - hiddenPreviewsBodyPlaceholder: What stands for the text where previews are hidden.
  ///   - categorySummaryFormat: How a summary of several counts them.
  ///   - options: How such notifications behave.
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

  /// Makes a category with words for hidden previews.
  ///
  /// - Parameters:
  ///   - identifier: What a notification's `categoryIdentifier` names.
  ///   - actions: The buttons, in order.
  ///   - intentIdentifiers: The intents that go with such notifications.
  ///   - hiddenPreviewsBodyPlaceholder: What stands for the text where previews are hidden.
  ///   - options: How such notifications behave.
  public convenience init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    hiddenPreviewsBodyPlaceholder: String, options: UNNotificationCategoryOptions = []
  ) {
    self.init(
      identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers,
      hiddenPreviewsBodyPlaceholder: hiddenPreviewsBodyPlaceholder, categorySummaryFormat: nil,
      options: options)
  }

  /// Makes a category with the system's own words.
  ///
  /// - Parameters:
  ///   - identifier: What a notification's `categoryIdentifier` names.
  ///   - actions: The buttons, in order.
  ///   - intentIdentifiers: The intents that go with such notifications.
  ///   - options: How such notifications behave.
  public convenience init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    options: UNNotificationCategoryOptions = []
  ) {
    self.init(
      identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers,
      hiddenPreviewsBodyPlaceholder: nil, categorySummaryFormat: nil, options: options)
  }

  /// Reads an archived category.
  ///
  /// - Parameter coder: The archive.
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

  /// Writes the category to an archive.
  ///
  /// - Parameter coder: The archive.
  public func encode(with coder: NSCoder) {
    coder.encode(identifier, forKey: "identifier")
    coder.encode(NSArray(array: actions), forKey: "actions")
    coder.encode(NSArray(array: intentIdentifiers), forKey: "intents")
    coder.encode(hiddenPreviewsBodyPlaceholder, forKey: "placeholder")
    coder.encode(categorySummaryFormat, forKey: "summary")
    coder.encode(Int(bitPattern: options.rawValue), forKey: "options")
  }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// Whether another object is a category of the same values.
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

  /// The same for equal categories.
  public override var hash: Int { identifier.hashValue }

  /// The category itself, which cannot change.
  ///
  /// - Parameter zone: Unused.
  /// - Returns: This object.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Apple's `UNNotificationCategoryOptions`: how notifications of a category behave.
///
/// Source: Apple, `UNNotificationCategoryOptions`.
public struct UNNotificationCategoryOptions: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// Makes options from their bits.
  ///
  /// - Parameter rawValue: The bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The app is told when one is dismissed.
  public static let customDismissAction = UNNotificationCategoryOptions(rawValue: 1)
  /// They are shown in CarPlay.
  public static let allowInCarPlay = UNNotificationCategoryOptions(rawValue: 2)
  /// The title stays where previews are hidden.
  public static let hiddenPreviewsShowTitle = UNNotificationCategoryOptions(rawValue: 4)
  /// The subtitle stays where previews are hidden.
  public static let hiddenPreviewsShowSubtitle = UNNotificationCategoryOptions(rawValue: 8)
  /// They are read out; ignored by the system since iOS 15.
  public static let allowAnnouncement = UNNotificationCategoryOptions(rawValue: 16)
}
