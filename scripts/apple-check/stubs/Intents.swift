// The declarations of Apple's Intents that Martlet uses.
// https://developer.apple.com/documentation/intents/insendmessageintent
public import Foundation
public import UserNotifications

open class INIntent: NSObject {}

public final class INImage: NSObject {
  public convenience init(named name: String) { fatalError() }
  public convenience init(imageData: Data) { fatalError() }
}

public final class INSpeakableString: NSObject {
  public init(spokenPhrase: String) { fatalError() }
}

public enum INPersonHandleType: Int, Sendable { case unknown, emailAddress, phoneNumber }

public final class INPersonHandle: NSObject {
  public init(value: String?, type: INPersonHandleType) { fatalError() }
}

public final class INPerson: NSObject {
  public init(
    personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?,
    image: INImage?, contactIdentifier: String?, customIdentifier: String?
  ) { fatalError() }
}

public enum INOutgoingMessageType: Int, Sendable { case unknown, outgoingMessageText }
public final class INSendMessageAttachment: NSObject {}

public final class INSendMessageIntent: INIntent, UNNotificationContentProviding {
  public init(
    recipients: [INPerson]?, outgoingMessageType: INOutgoingMessageType, content: String?,
    speakableGroupName: INSpeakableString?, conversationIdentifier: String?, serviceName: String?,
    sender: INPerson?, attachments: [INSendMessageAttachment]?
  ) { fatalError() }
  public var speakableGroupName: INSpeakableString? { fatalError() }
  public func setImage<Value>(
    _ image: INImage?, forParameterNamed parameterName: KeyPath<INSendMessageIntent, Value>
  ) { fatalError() }
}

open class INIntentResponse: NSObject {}
public enum INInteractionDirection: Int, Sendable { case unspecified, outgoing, incoming }

public final class INInteraction: NSObject {
  public init(intent: INIntent, response: INIntentResponse?) { fatalError() }
  public var direction: INInteractionDirection {
    get { fatalError() }
    set { fatalError() }
  }
  public func donate(completion: (((any Error)?) -> Void)? = nil) { fatalError() }
}
