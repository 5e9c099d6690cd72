public import Foundation
public import UserNotifications

/// Apple's `INCallAudioRoute`, the audio output of a call.
public enum INCallAudioRoute: Int, Sendable {
  /// The route is not known.
  case unknown = 0
  /// The phone's loudspeaker.
  case speakerphoneAudioRoute = 1
  /// A Bluetooth device.
  case bluetoothAudioRoute = 2
}

/// Apple's `INCallDestinationType`, the kind of a call.
public enum INCallDestinationType: Int, Sendable {
  /// The kind is not known.
  case unknown = 0
  /// A call to a person.
  case normal = 1
  /// An emergency call.
  case emergency = 2
  /// A call to the voicemail.
  case voicemail = 3
  /// A call to the last number again.
  case redial = 4
  /// A call to the last caller.
  case callBack = 5
}

/// Apple's `INCallCapability`, whether a call has a picture.
public enum INCallCapability: Int, Sendable {
  /// The capability is not known.
  case unknown = 0
  /// A call without a picture.
  case audioCall = 1
  /// A call with a picture.
  case videoCall = 2
}

/// Apple's `INCallRecordFilter`, which cannot be created here; pass `nil`.
public final class INCallRecordFilter: NSObject {
  private override init() {}
}

/// Apple's `INCallRecord`, which cannot be created here; pass `nil`.
public final class INCallRecord: NSObject {
  private override init() {}
}

/// Apple's `INStartCallIntent`, a call that somebody begins.
///
/// Pass it to `UNNotificationContent.updating(from:)` to make a communication notification.
///
/// Source: Apple, `INStartCallIntent`.
public final class INStartCallIntent: INIntent, UNCommunicationProviding {
  /// The audio output of the call.
  public let audioRoute: INCallAudioRoute
  /// The kind of the call.
  public let destinationType: INCallDestinationType
  /// The callers.
  public let contacts: [INPerson]?
  /// Whether the call has a picture.
  public let callCapability: INCallCapability

  /// Creates a call.
  ///
  /// - Parameters:
  ///   - callRecordFilter: Unused.
  ///   - callRecordToCallBack: Unused.
  ///   - audioRoute: The audio output of the call.
  ///   - destinationType: The kind of the call.
  ///   - contacts: The callers.
  ///   - callCapability: Whether the call has a picture.
  public init(
    callRecordFilter: INCallRecordFilter?, callRecordToCallBack: INCallRecord?,
    audioRoute: INCallAudioRoute, destinationType: INCallDestinationType, contacts: [INPerson]?,
    callCapability: INCallCapability
  ) {
    self.audioRoute = audioRoute
    self.destinationType = destinationType
    self.contacts = contacts
    self.callCapability = callCapability
  }

  /// The facts that the system shows about the call.
  public var communication: UNCommunication {
    UNCommunication(sender: contacts?.first?.displayName, group: nil, conversation: nil)
  }
}
