public import Foundation

/// Apple's `INIntent`, an action that a person takes or wants.
///
/// Source: Apple, `INIntent`.
open class INIntent: NSObject {
  /// The identifier, which does not change.
  public let identifier: String? = UUID().uuidString
  /// The phrase that the system suggests.
  open var suggestedInvocationPhrase: String?
  /// The facts about the donation that the system needs.
  open var donationMetadata: INIntentDonationMetadata?
  private var images: [AnyKeyPath: INImage] = [:]

  fileprivate func setImage(_ image: INImage?, for parameter: AnyKeyPath) {
    images[parameter] = image
  }

  fileprivate func image(for parameter: AnyKeyPath) -> INImage? { images[parameter] }
}

/// An intent whose parameters have pictures.
public protocol INIntentSetImageKeyPath: INIntent {}

extension INIntent: INIntentSetImageKeyPath {}

extension INIntentSetImageKeyPath {
  /// Sets the picture of a parameter.
  ///
  /// - Parameters:
  ///   - image: The picture.
  ///   - parameterName: The parameter.
  public func setImage<Value>(
    _ image: INImage?, forParameterNamed parameterName: KeyPath<Self, Value>
  ) { setImage(image, for: parameterName) }

  /// The picture of a parameter.
  ///
  /// - Parameter parameterName: The parameter.
  /// - Returns: The picture.
  public func image<Value>(forParameterNamed parameterName: KeyPath<Self, Value>) -> INImage? {
    image(for: parameterName)
  }
}

/// Apple's `INIntentResponse`, the answer to an intent.
open class INIntentResponse: NSObject {}

/// Apple's `INIntentDonationMetadata`, the facts about a donation that the system needs.
open class INIntentDonationMetadata: NSObject {}

/// Apple's `INSendMessageIntentDonationMetadata`, the facts about a message that the system needs.
///
/// Source: Apple, `INSendMessageIntentDonationMetadata`.
public final class INSendMessageIntentDonationMetadata: INIntentDonationMetadata {
  /// Whether the message mentions the user.
  public var mentionsCurrentUser = false
  /// Whether the message replies to the user.
  public var isReplyToCurrentUser = false
  /// Whether the message breaks through the recipients' Focus.
  public var notifyRecipientAnyway = false
  /// The number of recipients.
  public var recipientCount = 0
}

/// Apple's `INSpeakableString`, a text with its pronunciation.
///
/// Source: Apple, `INSpeakableString`.
public final class INSpeakableString: NSObject, Sendable {
  /// The text.
  public let spokenPhrase: String
  /// The pronunciation.
  public let pronunciationHint: String?
  /// The identifier in the app's vocabulary.
  public let vocabularyIdentifier: String?

  /// Creates a text.
  ///
  /// - Parameter spokenPhrase: The text.
  public convenience init(spokenPhrase: String) {
    self.init(vocabularyIdentifier: "", spokenPhrase: spokenPhrase, pronunciationHint: nil)
  }

  /// Creates a text.
  ///
  /// - Parameters:
  ///   - vocabularyIdentifier: The identifier in the app's vocabulary.
  ///   - spokenPhrase: The text.
  ///   - pronunciationHint: The pronunciation.
  public init(vocabularyIdentifier: String, spokenPhrase: String, pronunciationHint: String?) {
    self.vocabularyIdentifier = vocabularyIdentifier.isEmpty ? nil : vocabularyIdentifier
    self.spokenPhrase = spokenPhrase
    self.pronunciationHint = pronunciationHint
  }
}
