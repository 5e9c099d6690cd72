public import Foundation

/// Apple's `UNNotificationAction`, a button of a notification.
///
/// Objects are equal if their values are equal.
///
/// Source: Apple, `UNNotificationAction`.
open class UNNotificationAction: NSObject, NSCopying, NSSecureCoding {
  /// The identifier that the app receives on a tap.
  public let identifier: String
  /// The title.
  public let title: String
  /// The options.
  public let options: UNNotificationActionOptions
  /// The icon.
  public let icon: UNNotificationActionIcon?

  /// Creates an action with an icon.
  ///
  /// - Parameters:
  ///   - identifier: The identifier that the app receives on a tap.
  ///   - title: The title.
  ///   - options: The options.
  ///   - icon: The icon.
  public init(
    identifier: String, title: String, options: UNNotificationActionOptions = [],
    icon: UNNotificationActionIcon?
  ) {
    self.identifier = identifier
    self.title = title
    self.options = options
    self.icon = icon
  }

  /// Creates an action.
  ///
  /// - Parameters:
  ///   - identifier: The identifier that the app receives on a tap.
  ///   - title: The title.
  ///   - options: The options.
  public convenience init(
    identifier: String, title: String, options: UNNotificationActionOptions = []
  ) {
    self.init(identifier: identifier, title: title, options: options, icon: nil)
  }

  /// Decodes an archived button.
  ///
  /// - Parameter coder: The coder.
  public required init?(coder: NSCoder) {
    guard let identifier = coder.text("identifier"), let title = coder.text("title") else {
      return nil
    }
    self.identifier = identifier
    self.title = title
    options = .init(rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "options")))
    icon = coder.decodeObject(of: UNNotificationActionIcon.self, forKey: "icon")
  }

  /// Encodes the button.
  ///
  /// - Parameter coder: The coder.
  public func encode(with coder: NSCoder) {
    coder.encode(identifier, forKey: "identifier")
    coder.encode(title, forKey: "title")
    coder.encode(Int(bitPattern: options.rawValue), forKey: "options")
    coder.encode(icon, forKey: "icon")
  }

  /// Always `true`.
  public static var supportsSecureCoding: Bool { true }

  /// Whether another object is equal: of the same class and with the same values.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationAction, type(of: other) == type(of: self) else {
      return false
    }
    return other.identifier == identifier && other.title == title && other.options == options
      && other.icon == icon
  }

  /// A hash that is the same for equal buttons.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(identifier)
    hasher.combine(title)
    return hasher.finalize()
  }

  /// Returns this object, because it is immutable.
  ///
  /// - Parameter zone: Unused.
  /// - Returns: This object.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Apple's `UNTextInputNotificationAction`, a button that opens a text field.
///
/// Source: Apple, `UNTextInputNotificationAction`.
public final class UNTextInputNotificationAction: UNNotificationAction {
  /// The title of the button that sends the text.
  public let textInputButtonTitle: String
  /// The placeholder of the text field.
  public let textInputPlaceholder: String

  /// Creates an action with an icon that opens a text field.
  ///
  /// - Parameters:
  ///   - identifier: The identifier that the app receives with the text.
  ///   - title: The title.
  ///   - options: The options.
  ///   - icon: The icon.
  ///   - textInputButtonTitle: The title of the button that sends the text.
  ///   - textInputPlaceholder: The placeholder of the text field.
  public init(
    identifier: String, title: String, options: UNNotificationActionOptions = [],
    icon: UNNotificationActionIcon?, textInputButtonTitle: String, textInputPlaceholder: String
  ) {
    self.textInputButtonTitle = textInputButtonTitle
    self.textInputPlaceholder = textInputPlaceholder
    super.init(identifier: identifier, title: title, options: options, icon: icon)
  }

  /// Creates an action that opens a text field.
  ///
  /// - Parameters:
  ///   - identifier: The identifier that the app receives with the text.
  ///   - title: The title.
  ///   - options: The options.
  ///   - textInputButtonTitle: The title of the button that sends the text.
  ///   - textInputPlaceholder: The placeholder of the text field.
  public convenience init(
    identifier: String, title: String, options: UNNotificationActionOptions = [],
    textInputButtonTitle: String, textInputPlaceholder: String
  ) {
    self.init(
      identifier: identifier, title: title, options: options, icon: nil,
      textInputButtonTitle: textInputButtonTitle, textInputPlaceholder: textInputPlaceholder)
  }

  /// Decodes an archived button.
  ///
  /// - Parameter coder: The coder.
  public required init?(coder: NSCoder) {
    guard let button = coder.text("textInputButtonTitle"),
      let placeholder = coder.text("textInputPlaceholder")
    else { return nil }
    textInputButtonTitle = button
    textInputPlaceholder = placeholder
    super.init(coder: coder)
  }

  /// Encodes the button.
  ///
  /// - Parameter coder: The coder.
  public override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(textInputButtonTitle, forKey: "textInputButtonTitle")
    coder.encode(textInputPlaceholder, forKey: "textInputPlaceholder")
  }

  /// Whether another object is equal: with the same values.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  public override func isEqual(_ object: Any?) -> Bool {
    guard super.isEqual(object), let other = object as? UNTextInputNotificationAction else {
      return false
    }
    return other.textInputButtonTitle == textInputButtonTitle
      && other.textInputPlaceholder == textInputPlaceholder
  }
}

/// Apple's `UNNotificationActionIcon`, the icon of an action.
///
/// Source: Apple, `UNNotificationActionIcon`.
public final class UNNotificationActionIcon: NSObject, NSCopying, NSSecureCoding {
  /// The image's name, which only the host reads.
  @_spi(Host) public let name: String
  /// Whether the name is that of an SF Symbol.
  @_spi(Host) public let isSystem: Bool

  /// Creates an icon from an image of the app's bundle, which is drawn as a template.
  ///
  /// - Parameter templateImageName: The image's name.
  public init(templateImageName: String) {
    name = templateImageName
    isSystem = false
  }

  /// Creates an icon from an SF Symbol.
  ///
  /// - Parameter systemImageName: The symbol's name.
  public init(systemImageName: String) {
    name = systemImageName
    isSystem = true
  }

  /// Decodes an archived picture's name.
  ///
  /// - Parameter coder: The coder.
  public required init?(coder: NSCoder) {
    guard let name = coder.text("name") else { return nil }
    self.name = name
    isSystem = coder.decodeBool(forKey: "system")
  }

  /// Encodes the icon.
  ///
  /// - Parameter coder: The coder.
  public func encode(with coder: NSCoder) {
    coder.encode(name, forKey: "name")
    coder.encode(isSystem, forKey: "system")
  }

  /// Always `true`.
  public static var supportsSecureCoding: Bool { true }

  /// Whether another object is an icon of the same image.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationActionIcon else { return false }
    return other.name == name && other.isSystem == isSystem
  }

  /// A hash that is the same for equal pictures.
  public override var hash: Int { name.hashValue }

  /// Returns this object, because it is immutable.
  ///
  /// - Parameter zone: Unused.
  /// - Returns: This object.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Apple's `UNNotificationActionOptions`.
///
/// Source: Apple, `UNNotificationActionOptions`.
public struct UNNotificationActionOptions: OptionSet, Hashable, Sendable {
  /// The raw value.
  public let rawValue: UInt

  /// Creates options from a raw value.
  ///
  /// - Parameter rawValue: The raw value.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The action needs an unlocked device.
  public static let authenticationRequired = UNNotificationActionOptions(rawValue: 1)
  /// The action is destructive.
  public static let destructive = UNNotificationActionOptions(rawValue: 2)
  /// The action opens the app.
  public static let foreground = UNNotificationActionOptions(rawValue: 4)
}
