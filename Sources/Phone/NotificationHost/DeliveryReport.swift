public import Foundation
public import PushPayload
public import RichNotifications

/// The result of delivering one push to a ``VirtualPhone``.
public struct DeliveryReport: Sendable {
  /// The outcome of a push, as the person sees it.
  public struct Outcome: RawRepresentable, Hashable, Sendable {
    /// The code, such as `displayed`.
    public let rawValue: String

    /// Creates an outcome.
    ///
    /// - Parameter rawValue: Lower-case words joined by hyphens.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The extension's content is shown, or the payload's if no extension runs.
    public static let displayed = Outcome(rawValue: "displayed")
    /// The payload's content is shown because the extension gave none that can be shown.
    public static let displayedOriginal = Outcome(rawValue: "displayed-original")
    /// The extension suppressed the notification, so nothing is shown.
    public static let suppressed = Outcome(rawValue: "suppressed")
    /// The notification has no text, alerts are not allowed, or the push is no notification, so no notification is shown.
    public static let notDisplayed = Outcome(rawValue: "not-displayed")
    /// The system ignores the push.
    public static let dropped = Outcome(rawValue: "dropped")
  }

  /// A run of the service extension.
  public struct ExtensionRun: Hashable, Sendable {
    /// Whether the extension ran.
    public var ran = false
    /// The number of calls of the content handler until the report was made.
    public var handlerCalls = 0
    /// Whether `serviceExtensionTimeWillExpire` was called.
    public var expired = false
    /// The time from the launch to the first call of the content handler, or to the end of the extension.
    public var elapsed = Duration.zero
    /// The peak memory in bytes beyond the memory of the idle process.
    ///
    /// `nil` if the extension ran in the host's own process.
    public var peakMemoryBytes: Int?
  }

  /// The outcome of the push, as the person sees it.
  public var outcome: Outcome
  /// The reason for the outcome, in words.
  public var reason: String
  /// The rule that decided the outcome; `nil` if the report was not made by a host.
  public var rule: HostRule?
  /// The run of the service extension.
  public var run = ExtensionRun()
  /// The content that takes effect; `nil` if no content does.
  ///
  /// For a suppressed notification it has only the badge and the sound.
  public var content: ShownContent?
  /// The attachments of the notification.
  public var attachments: [ShownAttachment] = []
  /// The actions of its category, if the app or the extension has registered it.
  public var actions: [ShownAction] = []
  /// Whether the app is woken in the background.
  public var wakesApp = false
  /// The Live Activity that the push has started, updated or ended; `nil` for every other push.
  public var activity: ShownActivity?
  /// The notification that an accessory gets; `nil` if none is forwarded.
  public var forwarded: ForwardedNotification?
  /// The extension's requests in order, as far as they went over ``VirtualPhone/App/network``.
  public var requests: [ExtensionRequest] = []
  /// The outcome of each media file, if the extension is a `RichNotificationService` that runs in the host's own
  /// process and has the environment of its host.
  public var media: [MediaOutcome] = []
  /// The host's decisions in order, with those of the engine for an extension that has ``media``.
  public var trace: [TraceEvent] = []
  /// The push on its phone; `nil` if the report was not made by a host.
  package var push: PushTrace?
  /// The owner of the folder with the attachments, which exists as long as the report; `nil` if the caller owns the folder.
  package var folder: (any AnyObject & Sendable)?

  /// Creates a report without content.
  ///
  /// - Parameters:
  ///   - outcome: The outcome of the push, as the person sees it.
  ///   - reason: The reason for the outcome, in words.
  public init(outcome: Outcome, reason: String) {
    self.outcome = outcome
    self.reason = reason
  }
}

/// The content of a notification as it is shown.
public struct ShownContent: Hashable, Sendable {
  /// The request's identifier.
  public var requestIdentifier: String
  /// The title.
  public var title: String
  /// The subtitle.
  public var subtitle: String
  /// The body.
  public var body: String
  /// The app icon's badge.
  public var badge: Int?
  /// The sound's name; `default` for the default sound.
  public var sound: String?
  /// The category identifier.
  public var categoryIdentifier: String
  /// The thread identifier.
  public var threadIdentifier: String
  /// The interruption level: `passive`, `active`, `time-sensitive` or `critical`.
  public var interruptionLevel: String
  /// The relevance score, 0…1.
  public var relevanceScore: Double
  /// The `userInfo` that the app receives.
  public var userInfo: JSONValue
}

/// An action of a notification as it is shown.
public struct ShownAction: Hashable, Sendable {
  /// The action's identifier, which the app receives on a tap.
  public var identifier: String
  /// The action's title.
  public var title: String
}

/// An attachment of a notification as it is shown.
public struct ShownAttachment: Hashable, Sendable {
  /// The attachment's identifier.
  public var identifier: String
  /// The file in the system's attachment store.
  public var file: URL
  /// The file's Uniform Type Identifier.
  public var type: String
  /// Whether the thumbnail is hidden.
  public var thumbnailHidden: Bool
  /// The part of the image that the thumbnail shows; `nil` for all of it.
  public var thumbnailClippingRect: UnitRect?
  /// The time of the video frame that the thumbnail shows, in seconds; `nil` for the system's choice.
  public var thumbnailTime: Double?
}

extension DeliveryReport: CustomStringConvertible {
  /// The outcome, the reason and the whole trace, for the message of a failing test.
  public var description: String {
    let lines = trace.map { event in
      let seconds = (event.at / .milliseconds(1)).rounded() / 1000
      return "  \(seconds) s  \(event.rule): \(event.fullMessage)"
    }
    return (["\(outcome.rawValue): \(reason)"] + lines).joined(separator: "\n")
  }
}
