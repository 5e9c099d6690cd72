public import Foundation

/// Apple's `UNNotificationAction`: a button under a notification.
///
/// Objects are compared by value.
///
/// Source: Apple, `UNNotificationAction`.
open class UNNotificationAction: NSObject, NSCopying, NSSecureCoding {
  /// What the app is told when it is tapped; unique among all actions of the app.
  public let identifier: String
  /// What is written on it.
  public let title: String
  /// How it behaves.
  public let options: UNNotificationActionOptions
  /// Its picture.
  public let icon: UNNotificationActionIcon?

  /// Makes a button with a picture.
  ///
  /// - Parameters:
  ///   - identifier: What the app is told when it is tapped.
  ///   - title: What is written on it.
  ///   - options: How it behaves.
  ///   - icon: Its picture.
  public init(
    identifier: String, title: String, options: UNNotificationActionOptions = [],
    icon: UNNotificationActionIcon?
  ) {
    self.identifier = identifier
    self.title = title
    self.options = options
    self.icon = icon
  }

  /// Makes a button.
  ///
  /// - Parameters:
  ///   - identifier: What the app is told when it is tapped.
  ///   - title: What is written on it.
  ///   - options: How it behaves.
  public convenience init(
    identifier: String, title: String, options: UNNotificationActionOptions = []
  ) {
    self.init(identifier: identifier, title: title, options: options, icon: nil)
  }

  /// Reads an archived button.
  ///
  /// - Parameter coder: The archive.
  public required init?(coder: NSCoder) {
    guard let identifier = coder.text("identifier"), let title = coder.text("title") else {
      return nil
    }
    self.identifier = identifier
    self.title = title
    options = .init(rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "options")))
    icon = coder.decodeObject(of: UNNotificationActionIcon.self, forKey: "icon")
  }

  /// Writes the button to an archive.
  ///
  /// - Parameter coder: The archive.
  public func encode(with coder: NSCoder) {
    coder.encode(identifier, forKey: "identifier")
    coder.encode(title, forKey: "title")
    coder.encode(Int(bitPattern: options.rawValue), forKey: "options")
    coder.encode(icon, forKey: "icon")
  }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// Whether another object is a button of the same class and the same values.
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

  /// The same for equal buttons.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(identifier)
    hasher.combine(title)
    return hasher.finalize()
  }

  /// The button itself, which cannot change.
  ///
  /// - Parameter zone: Unused.
  /// - Returns: This object.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Apple's `UNTextInputNotificationAction`: a button that opens a text field.
///
/// Source: Apple, `UNTextInputNotificationAction`.
public final class UNTextInputNotificationAction: UNNotificationAction {
  /// What is written on the button that sends the text.
  public let textInputButtonTitle: String
  /// What stands in the empty field.
  public let textInputPlaceholder: String

  /// Makes a button with a picture that opens a text field.
  ///
  /// - Parameters:
  ///   - identifier: What the app is told when the text is sent.
  ///   - title: What is written on it.
  ///   - options: How it behaves.
  ///   - icon: Its picture.
  ///   - textInputButtonTitle: What is written on the button that sends the text.
  ///   - textInputPlaceholder: What stands in the empty field.
  public init(
    identifier: String, title: String, options: UNNotificationActionOptions = [],
    icon: UNNotificationActionIcon?, textInputButtonTitle: String, textInputPlaceholder: String
  ) {
    self.textInputButtonTitle = textInputButtonTitle
    self.textInputPlaceholder = textInputPlaceholder
    super.init(identifier: identifier, title: title, options: options, icon: icon)
  }

  /// Makes a button that opens a text field.
  ///
  /// - Parameters:
  ///   - identifier: What the app is told when the text is sent.
  ///   - title: What is written on it.
  ///   - options: How it behaves.
  ///   - textInputButtonTitle: What is written on the button that sends the text.
  ///   - textInputPlaceholder: What stands in the empty field.
  public convenience init(
    identifier: String, title: String, options: UNNotificationActionOptions = [],
    textInputButtonTitle: String, textInputPlaceholder: String
  ) {
    self.init(
      identifier: identifier, title: title, options: options, icon: nil,
      textInputButtonTitle: textInputButtonTitle, textInputPlaceholder: textInputPlaceholder)
  }

  /// Reads an archived button.
  ///
  /// - Parameter coder: The archive.
  public required init?(coder: NSCoder) {
    guard let button = coder.text("textInputButtonTitle"),
      let placeholder = coder.text("textInputPlaceholder")
    else { return nil }
    textInputButtonTitle = button
    textInputPlaceholder = placeholder
    super.init(coder: coder)
  }

  /// Writes the button to an archive.
  ///
  /// - Parameter coder: The archive.
  public override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(textInputButtonTitle, forKey: "textInputButtonTitle")
    coder.encode(textInputPlaceholder, forKey: "textInputPlaceholder")
  }

  /// Whether another object is such a button of the same values.
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

/// Apple's `UNNotificationActionIcon`: the picture of a button.
///
/// Source: Apple, `UNNotificationActionIcon`.
public final class UNNotificationActionIcon: NSObject, NSCopying, NSSecureCoding {
  /// The picture's name.
  ///
  /// The host reads it, an app cannot.
  @_spi(Host) public let name: String
  /// Whether it is an SF Symbol's.
  @_spi(Host) public let isSystem: Bool

  /// Names a picture of the app's bundle, which is drawn as a template.
  ///
  /// - Parameter templateImageName: The picture's name.
  public init(templateImageName: String) {
    name = templateImageName
    isSystem = false
  }

  /// Names an SF Symbol.
  ///
  /// - Parameter systemImageName: The symbol's name.
  public init(systemImageName: String) {
    name = systemImageName
    isSystem = true
  }

  /// Reads an archived picture's name.
  ///
  /// - Parameter coder: The archive.
  public required init?(coder: NSCoder) {
    guard let name = coder.text("name") else { return nil }
    self.name = name
    isSystem = coder.decodeBool(forKey: "system")
  }

  /// Writes the picture's name to an archive.
  ///
  /// - Parameter coder: The archive.
  public func encode(with coder: NSCoder) {
    coder.encode(name, forKey: "name")
    coder.encode(isSystem, forKey: "system")
  }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// Whether another object names the same picture.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether they are equal.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationActionIcon else { return false }
    return other.name == name && other.isSystem == isSystem
  }

  /// The same for equal pictures.
  public override var hash: Int { name.hashValue }

  /// The picture itself, which cannot change.
  ///
  /// - Parameter zone: Unused.
  /// - Returns: This object.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Apple's `UNNotificationActionOptions`: how a button behaves.
///
/// Source: Apple, `UNNotificationActionOptions`.
public struct UNNotificationActionOptions: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// Makes options from their bits.
  ///
  /// - Parameter rawValue: The bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The phone must be unlocked first.
  public static let authenticationRequired = UNNotificationActionOptions(rawValue: 1)
  /// It is drawn as a warning.
  public static let destructive = UNNotificationActionOptions(rawValue: 2)
  /// It opens the app.
  public static let foreground = UNNotificationActionOptions(rawValue: 4)
}
