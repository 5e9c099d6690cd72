public import Foundation
public import UserNotifications

/// Apple's `INOutgoingMessageType`, the kind of a message.
public enum INOutgoingMessageType: Int, Sendable {
  /// The kind is not known.
  case unknown = 0
  /// A text.
  case outgoingMessageText = 1
  /// A recorded message.
  case outgoingMessageAudio = 2
}

/// Apple's `INFile`, a file with its name and type.
///
/// Source: Apple, `INFile`.
public final class INFile: NSObject, Sendable {
  /// The file's content.
  public let data: Data
  /// The file's name.
  public let filename: String
  /// The file's URL.
  public let fileURL: URL?
  /// The file's type.
  public let typeIdentifier: String?

  /// Creates a file.
  ///
  /// - Parameters:
  ///   - data: The content.
  ///   - filename: The name.
  ///   - typeIdentifier: The type.
  public init(data: Data, filename: String, typeIdentifier: String?) {
    self.data = data
    self.filename = filename
    self.typeIdentifier = typeIdentifier
    fileURL = nil
  }

  /// Creates a file of a URL; its content is empty if it cannot be read.
  ///
  /// - Parameters:
  ///   - fileURL: The URL.
  ///   - filename: The name; `nil` for that of the URL.
  ///   - typeIdentifier: The type.
  public init(fileURL: URL, filename: String?, typeIdentifier: String?) {
    data = (try? Data(contentsOf: fileURL)) ?? Data()
    self.filename = filename ?? fileURL.lastPathComponent
    self.typeIdentifier = typeIdentifier
    self.fileURL = fileURL
  }
}

/// Apple's `INSendMessageAttachment`, an attachment of a message.
///
/// Source: Apple, `INSendMessageAttachment`.
public final class INSendMessageAttachment: NSObject, Sendable {
  /// The recorded message.
  public let audioMessageFile: INFile?

  /// Creates an attachment.
  ///
  /// - Parameter audioMessageFile: The recorded message.
  public init(audioMessageFile: INFile) { self.audioMessageFile = audioMessageFile }
}

/// Apple's `INSendMessageIntent`, a message that somebody sends.
///
/// Pass it to `UNNotificationContent.updating(from:)` to make a communication notification.
///
/// Source: Apple, `INSendMessageIntent` and "Implementing communication notifications".
public final class INSendMessageIntent: INIntent, UNCommunicationProviding {
  /// The recipients.
  public let recipients: [INPerson]?
  /// The kind of the message.
  public let outgoingMessageType: INOutgoingMessageType
  /// The text.
  public let content: String?
  /// The group's name.
  public let speakableGroupName: INSpeakableString?
  /// The conversation's identifier in the app.
  public let conversationIdentifier: String?
  /// The service's name.
  public let serviceName: String?
  /// The sender.
  public let sender: INPerson?
  /// The attachments.
  public let attachments: [INSendMessageAttachment]?

  /// Creates a message.
  ///
  /// - Parameters:
  ///   - recipients: The recipients, without the user.
  ///   - outgoingMessageType: The kind of the message.
  ///   - content: The text.
  ///   - speakableGroupName: The group's name.
  ///   - conversationIdentifier: The conversation's identifier in the app.
  ///   - serviceName: The service's name.
  ///   - sender: The sender.
  ///   - attachments: The attachments.
  public init(
    recipients: [INPerson]?, outgoingMessageType: INOutgoingMessageType, content: String?,
    speakableGroupName: INSpeakableString?, conversationIdentifier: String?, serviceName: String?,
    sender: INPerson?, attachments: [INSendMessageAttachment]?
  ) {
    self.recipients = recipients
    self.outgoingMessageType = outgoingMessageType
    self.content = content
    self.speakableGroupName = speakableGroupName
    self.conversationIdentifier = conversationIdentifier
    self.serviceName = serviceName
    self.sender = sender
    self.attachments = attachments
  }

  /// Creates a message, as before iOS 14.
  ///
  /// - Parameters:
  ///   - recipients: The recipients, without the user.
  ///   - content: The text.
  ///   - speakableGroupName: The group's name.
  ///   - conversationIdentifier: The conversation's identifier in the app.
  ///   - serviceName: The service's name.
  ///   - sender: The sender.
  public convenience init(
    recipients: [INPerson]?, content: String?, speakableGroupName: INSpeakableString?,
    conversationIdentifier: String?, serviceName: String?, sender: INPerson?
  ) {
    self.init(
      recipients: recipients, outgoingMessageType: .unknown, content: content,
      speakableGroupName: speakableGroupName, conversationIdentifier: conversationIdentifier,
      serviceName: serviceName, sender: sender, attachments: nil)
  }

  /// The facts that the system shows about the message.
  public var communication: UNCommunication {
    UNCommunication(
      sender: sender?.displayName, group: speakableGroupName?.spokenPhrase,
      conversation: conversationIdentifier)
  }
}
