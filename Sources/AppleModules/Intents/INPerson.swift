public import Foundation

/// Apple's `INPersonHandleType`, the kind of a handle.
public enum INPersonHandleType: Int, Sendable {
  /// The kind is not known.
  case unknown = 0
  /// An email address.
  case emailAddress = 1
  /// A phone number.
  case phoneNumber = 2
}

/// Apple's `INPersonHandleLabel`, such as home or work.
public struct INPersonHandleLabel: RawRepresentable, Hashable, Sendable {
  /// The label's name.
  public let rawValue: String

  /// Creates a label.
  ///
  /// - Parameter rawValue: The label's name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Home.
  public static let home = INPersonHandleLabel(rawValue: "INPersonHandleLabelHome")
  /// Work.
  public static let work = INPersonHandleLabel(rawValue: "INPersonHandleLabelWork")
}

/// Apple's `INPersonHandle`, an address of a person.
///
/// Source: Apple, `INPersonHandle`.
public final class INPersonHandle: NSObject, Sendable {
  /// The address.
  public let value: String?
  /// The kind of the address.
  public let type: INPersonHandleType
  /// The label.
  public let label: INPersonHandleLabel?

  /// Creates a handle.
  ///
  /// - Parameters:
  ///   - value: The address.
  ///   - type: The kind of the address.
  public convenience init(value: String?, type: INPersonHandleType) {
    self.init(value: value, type: type, label: nil)
  }

  /// Creates a handle.
  ///
  /// - Parameters:
  ///   - value: The address.
  ///   - type: The kind of the address.
  ///   - label: The label.
  public init(value: String?, type: INPersonHandleType, label: INPersonHandleLabel?) {
    self.value = value
    self.type = type
    self.label = label
  }
}

/// Apple's `INPersonSuggestionType`, the source of a suggested person.
public enum INPersonSuggestionType: Int, Sendable {
  /// The person is not suggested.
  case none = 0
  /// The person is known from a social profile.
  case socialProfile = 1
  /// The person is known from an address for messages.
  case instantMessageAddress = 2
}

/// Apple's `INPerson`, a person who sends or receives a message.
///
/// Source: Apple, `INPerson`.
public final class INPerson: NSObject, Sendable {
  /// The address.
  public let personHandle: INPersonHandle?
  /// The parts of the name.
  public let nameComponents: PersonNameComponents?
  /// The picture.
  public let image: INImage?
  /// The identifier of the contact on the phone.
  public let contactIdentifier: String?
  /// The identifier in the app.
  public let customIdentifier: String?
  /// Whether the person is the user.
  public let isMe: Bool
  /// The source of a suggested person.
  public let suggestionType: INPersonSuggestionType
  /// Other addresses.
  public let aliases: [INPersonHandle]?
  private let name: String?

  /// The name to show: the display name, that of the components in the order of English, or the address.
  public var displayName: String {
    let parts = [nameComponents?.givenName, nameComponents?.middleName, nameComponents?.familyName]
    let components = parts.compactMap { $0 }.joined(separator: " ")
    return [name, components, nameComponents?.nickname, personHandle?.value].compactMap { $0 }
      .first { !$0.isEmpty } ?? ""
  }

  private init(
    handle: INPersonHandle?, components: PersonNameComponents?, name: String?, image: INImage?,
    contact: String?, custom: String?, isMe: Bool = false, aliases: [INPersonHandle]? = nil,
    suggestion: INPersonSuggestionType = .none
  ) {
    personHandle = handle
    nameComponents = components
    self.name = name
    self.image = image
    contactIdentifier = contact
    customIdentifier = custom
    self.isMe = isMe
    self.aliases = aliases
    suggestionType = suggestion
  }

  /// Creates a person.
  ///
  /// - Parameters:
  ///   - personHandle: The address.
  ///   - nameComponents: The parts of the name.
  ///   - displayName: The name to show.
  ///   - image: The picture.
  ///   - contactIdentifier: The identifier of the contact on the phone.
  ///   - customIdentifier: The identifier in the app.
  public convenience init(
    personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
    image: INImage?, contactIdentifier: String?, customIdentifier: String?
  ) {
    self.init(
      handle: personHandle, components: nameComponents, name: displayName, image: image,
      contact: contactIdentifier, custom: customIdentifier)
  }

  /// Creates a person.
  ///
  /// - Parameters:
  ///   - personHandle: The address.
  ///   - nameComponents: The parts of the name.
  ///   - displayName: The name to show.
  ///   - image: The picture.
  ///   - contactIdentifier: The identifier of the contact on the phone.
  ///   - customIdentifier: The identifier in the app.
  ///   - isMe: Whether the person is the user.
  public convenience init(
    personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
    image: INImage?, contactIdentifier: String?, customIdentifier: String?, isMe: Bool
  ) {
    self.init(
      handle: personHandle, components: nameComponents, name: displayName, image: image,
      contact: contactIdentifier, custom: customIdentifier, isMe: isMe)
  }

  /// Creates a person.
  ///
  /// - Parameters:
  ///   - personHandle: The address.
  ///   - nameComponents: The parts of the name.
  ///   - displayName: The name to show.
  ///   - image: The picture.
  ///   - contactIdentifier: The identifier of the contact on the phone.
  ///   - customIdentifier: The identifier in the app.
  ///   - isMe: Whether the person is the user.
  ///   - suggestionType: The source of a suggested person.
  public convenience init(
    personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
    image: INImage?, contactIdentifier: String?, customIdentifier: String?, isMe: Bool,
    suggestionType: INPersonSuggestionType
  ) {
    self.init(
      handle: personHandle, components: nameComponents, name: displayName, image: image,
      contact: contactIdentifier, custom: customIdentifier, isMe: isMe, suggestion: suggestionType)
  }

  /// Creates a person.
  ///
  /// - Parameters:
  ///   - personHandle: The address.
  ///   - nameComponents: The parts of the name.
  ///   - displayName: The name to show.
  ///   - image: The picture.
  ///   - contactIdentifier: The identifier of the contact on the phone.
  ///   - customIdentifier: The identifier in the app.
  ///   - aliases: Other addresses.
  ///   - suggestionType: The source of a suggested person.
  public convenience init(
    personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
    image: INImage?, contactIdentifier: String?, customIdentifier: String?,
    aliases: [INPersonHandle]?, suggestionType: INPersonSuggestionType
  ) {
    self.init(
      handle: personHandle, components: nameComponents, name: displayName, image: image,
      contact: contactIdentifier, custom: customIdentifier, aliases: aliases,
      suggestion: suggestionType)
  }
}
