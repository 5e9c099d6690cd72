public import Foundation
public import PushPayload
public import RichNotifications

/// What became of one push on the phone.
public struct DeliveryReport: Sendable {
  /// What the person sees of it.
  public struct Outcome: RawRepresentable, Hashable, Sendable {
    /// The name as reports print it.
    public let rawValue: String

    /// Names an outcome.
    ///
    /// - Parameter rawValue: Lower-case words joined by hyphens.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The content is shown: the extension's, or the payload's own where no extension runs.
    public static let displayed = Outcome(rawValue: "displayed")
    /// The extension failed to give content that can be shown, so the payload's own is.
    public static let displayedOriginal = Outcome(rawValue: "displayed-original")
    /// The extension kept it from showing.
    public static let suppressed = Outcome(rawValue: "suppressed")
    /// It has no text to show, or may not be shown.
    public static let notDisplayed = Outcome(rawValue: "not-displayed")
    /// The system makes nothing of the payload.
    public static let dropped = Outcome(rawValue: "dropped")
  }

  /// What the extension did.
  public struct ExtensionRun: Hashable, Sendable {
    /// Whether it ran at all.
    public var ran = false
    /// How often it called the content handler before the report was made.
    public var handlerCalls = 0
    /// Whether `serviceExtensionTimeWillExpire` was called.
    public var expired = false
    /// From its launch to its reply, or to the end of its time.
    public var elapsed = Duration.zero
    /// The most memory it used beyond what it uses while it waits for a notification.
    ///
    /// `nil` where it ran in the host's own process, whose memory is not its own.
    public var peakMemoryBytes: Int?
  }

  /// What the person sees of it.
  public var outcome: Outcome
  /// Why, in words.
  public var reason: String
  /// The rule that decided it; `nil` where the host had no part in it.
  public var rule: HostRule?
  /// What the extension did.
  public var run = ExtensionRun()
  /// The content that applies; `nil` where none does.
  ///
  /// Of a suppressed notification it is the badge and the sound alone.
  public var content: ShownContent?
  /// The files that are shown with it.
  public var attachments: [ShownAttachment] = []
  /// The buttons of its category, where the app or the extension has made it known.
  public var actions: [ShownAction] = []
  /// Whether the app is woken in the background for it.
  public var wakesApp = false
  /// The way of the push, the engine's decisions not included.
  public var trace: [TraceEvent] = []

  /// Makes a report without content.
  ///
  /// - Parameters:
  ///   - outcome: What the person sees of it.
  ///   - reason: Why, in words.
  public init(outcome: Outcome, reason: String) {
    self.outcome = outcome
    self.reason = reason
  }
}

/// A notification's content as it is shown.
public struct ShownContent: Hashable, Sendable {
  /// The request's identifier.
  public var requestIdentifier: String
  /// The first line.
  public var title: String
  /// The second line.
  public var subtitle: String
  /// The text.
  public var body: String
  /// The number on the icon.
  public var badge: Int?
  /// The sound's name; `default` for the system's.
  public var sound: String?
  /// The category.
  public var categoryIdentifier: String
  /// The thread.
  public var threadIdentifier: String
  /// `passive`, `active`, `time-sensitive` or `critical`.
  public var interruptionLevel: String
  /// The rank in a summary.
  public var relevanceScore: Double
  /// What the app finds with it.
  public var userInfo: JSONValue
}

/// A button as it is shown.
public struct ShownAction: Hashable, Sendable {
  /// What the app is told when it is tapped.
  public var identifier: String
  /// What is written on it.
  public var title: String
}

/// A file as it is shown.
public struct ShownAttachment: Hashable, Sendable {
  /// What names it within the notification.
  public var identifier: String
  /// Where the system keeps it.
  public var file: URL
  /// Its type, a Uniform Type Identifier.
  public var type: String
  /// Whether the thumbnail is hidden.
  public var thumbnailHidden: Bool
  /// The part of the picture that the thumbnail shows; `nil` for all.
  public var thumbnailClippingRect: UnitRect?
  /// The moment of a film that the thumbnail shows, in seconds; `nil` for the system's choice.
  public var thumbnailTime: Double?
}

extension DeliveryReport: CustomStringConvertible {
  /// The outcome, why, and the whole way: what a test that fails should show.
  public var description: String {
    let way = trace.map { event in
      let seconds = (event.at / .milliseconds(1)).rounded() / 1000
      return "  \(seconds) s  \(event.rule): \(event.message)"
    }
    return (["\(outcome.rawValue): \(reason)"] + way).joined(separator: "\n")
  }
}
