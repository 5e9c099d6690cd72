public import Foundation
public import PushPayload

/// The outcome of an enrichment: what to show, and why.
public struct EnrichedContent: Sendable {
  /// The texts to show.
  public var text: NotificationText
  /// The files to attach, in the payload's order.
  public var attachments: [AttachedMedia] = []
  /// Which dialect the payload was read with.
  public var dialect: Dialect.ID = .none
  /// What became of each media file that the payload asked for.
  public var media: [MediaOutcome] = []
  /// Whether the alternative text stands in for media that failed.
  public var usedAlternativeText = false
  /// Values of the payload that had a wrong type and counted as absent.
  public var findings: [PayloadFinding] = []
  /// Why it is as it is, in words; `nil` where it is all that was asked for.
  public var note: String?

  init(text: NotificationText) { self.text = text }
}

/// A file on disk that is ready to be attached.
public struct AttachedMedia: Hashable, Sendable {
  /// Where it lies; the system moves it away after delivery.
  public var file: URL
  /// What it is, told by its bytes; the file's name ends accordingly.
  public var type: MediaType
  /// How large it is.
  public var bytes: Int64
  /// The status it came with; `nil` for a file of the bundle.
  public var status: Int?
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
    /// It was wanted and could not be had.
    public static let failed = Result(rawValue: "failed")
  }

  /// What the payload asked for.
  public var url: String
  /// How it ended.
  public var result: Result
  /// Why, where it failed.
  public var reason: MediaFailure.Reason?
  /// The HTTP status, where an answer had come.
  public var status: Int?
  /// How many bytes had come.
  public var bytes: Int64
}
