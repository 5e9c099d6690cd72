public import Foundation
public import PushPayload

/// The outcome of an enrichment: what to show, and why.
public struct EnrichedContent: Sendable {
  /// The texts to show.
  public var text: NotificationText
  /// The payload that was inside an encrypted one, which replaces what arrived; `nil` where nothing was
  /// decrypted.
  public var decrypted: JSONValue?
  /// The files to attach, in the payload's order.
  public var attachments: [AttachedMedia] = []
  /// The number on the icon; `nil` leaves it as it arrived.
  public var badge: Int?
  /// The category; `nil` leaves it as it arrived.
  public var categoryIdentifier: String?
  /// The buttons that the payload describes; the category is theirs unless it names one itself.
  public var buttons: [RichButton] = []
  /// Where a tap shall lead.
  public var deepLink: String?
  /// Who the message is from; `nil` for a notification of the app.
  public var sender: MessageSender?
  /// What the sender calls this message.
  public var messageID: String?
  /// Which dialect the payload was read with.
  public var dialect: Dialect.ID = .none
  /// What became of the encrypted part: `nil` where there is none, `ok`, or why it stays closed.
  public var decryption: String?
  /// What became of each media file that the payload asked for, in its order.
  public var media: [MediaOutcome] = []
  /// Whether the alternative text stands in for media that failed.
  public var usedAlternativeText = false
  /// Values of the payload that had a wrong type and counted as absent.
  public var findings: [PayloadFinding] = []
  /// Why it is as it is, in words; `nil` where it is all that was asked for.
  public var note: String?
  /// How long it took from the arrival to the hand-over.
  public var elapsed = Duration.zero

  init(text: NotificationText) { self.text = text }
}

/// A file on disk that is ready to be attached.
public struct AttachedMedia: Hashable, Sendable {
  /// What the payload wrote: a URL, or the name of a local file.
  public var url: String
  /// Where it lies; the system moves it away after delivery.
  public var file: URL
  /// What it is; the file's name ends accordingly.
  public var type: MediaType
  /// What told the type.
  public var typeSource: MediaTypeDecision.Source
  /// How large it is.
  public var bytes: Int64
  /// How large it was before it was made smaller; `nil` where it is as it came.
  public var reducedFrom: Int64?
  /// The status it came with; `nil` for a local file.
  public var status: Int?
  /// What names it within the notification; empty lets the system choose.
  public var identifier = ""
  /// How the system draws its thumbnail.
  public var thumbnail = ThumbnailOptions()
}

/// What became of one media file that a payload asked for.
public struct MediaOutcome: Hashable, Sendable {
  /// How it ended.
  public struct Result: RawRepresentable, Hashable, Sendable {
    /// The name as reports print it.
    public let rawValue: String

    /// Names an ending.
    ///
    /// - Parameter rawValue: A lower-case word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It is part of the notification.
    public static let attached = Result(rawValue: "attached")
    /// Something that the payload names in its stead is part of the notification.
    public static let alternative = Result(rawValue: "alternative")
    /// It was wanted and could not be had.
    public static let failed = Result(rawValue: "failed")
    /// It was not tried.
    public static let skipped = Result(rawValue: "skipped")
  }

  /// What the payload asked for.
  public var url: String
  /// How it ended.
  public var result: Result
  /// Why what was asked for is not shown.
  public var reason: MediaFailure.Reason?
  /// The HTTP status, where an answer had come.
  public var status: Int?
  /// How many bytes had come.
  public var bytes: Int64
  /// How often something was tried: requests made and local files looked for.
  public var tries = 0
}
