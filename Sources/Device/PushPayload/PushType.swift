/// The type of a push notification: the value of the `apns-push-type` header.
///
/// The set is open: a type that Apple adds later is made with ``init(rawValue:)``, and counts as one
/// without special requirements until ``all`` lists it.
///
/// ```swift
/// let type = PushType.liveActivity
/// print(type.topic(forBundleID: "com.example.app"))  // com.example.app.push-type.liveactivity
/// print(type.requirements.priorities)  // [10, 5]
/// ```
///
/// Source: Apple, "Sending notification requests to APNs", the table of `apns-push-type`.
public struct PushType: RawRepresentable, Hashable, Sendable {
  /// The header's value.
  public var rawValue: String

  /// Makes a push type from the header's value.
  ///
  /// - Parameter rawValue: The word that Apple documents, in lower case.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Shows an alert, plays a sound or sets the badge.
  public static let alert = PushType(rawValue: "alert")
  /// Wakes the app for a background update; the person sees nothing.
  public static let background = PushType(rawValue: "background")
  /// Updates a watchOS complication.
  public static let complication = PushType(rawValue: "complication")
  /// Reloads a control (iOS 18).
  public static let controls = PushType(rawValue: "controls")
  /// Tells a File Provider extension that its content changed.
  public static let fileProvider = PushType(rawValue: "fileprovider")
  /// Starts, updates or ends a Live Activity.
  public static let liveActivity = PushType(rawValue: "liveactivity")
  /// Asks a location push service extension for the device's location.
  public static let location = PushType(rawValue: "location")
  /// Tells a managed device to contact its MDM server.
  public static let mdm = PushType(rawValue: "mdm")
  /// Starts or updates a Push to Talk session.
  public static let pushToTalk = PushType(rawValue: "pushtotalk")
  /// Announces an incoming call.
  public static let voip = PushType(rawValue: "voip")
  /// Reloads a widget.
  public static let widgets = PushType(rawValue: "widgets")

  /// The push types that Apple documents, sorted by ``rawValue``.
  public static let all: [PushType] = [
    .alert, .background, .complication, .controls, .fileProvider, .liveActivity, .location, .mdm,
    .pushToTalk, .voip, .widgets,
  ]
}
