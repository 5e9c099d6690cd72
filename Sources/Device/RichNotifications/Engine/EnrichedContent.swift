public import Foundation
import NotificationTemplates
public import PushPayload

/// The result of enriching one notification: the content to show, and how it came about.
public struct EnrichedContent: Sendable {
  /// The title, subtitle and body to show.
  public var text: NotificationText
  /// The decrypted payload, which replaces the one that arrived; `nil` if nothing was decrypted.
  public var decrypted: JSONValue?
  /// The files to attach, in the payload's order.
  public var attachments: [AttachedMedia] = []
  /// The app icon's badge; `nil` keeps the one that arrived.
  public var badge: Int?
  /// The category identifier; `nil` keeps the one that arrived.
  public var categoryIdentifier: String?
  /// The buttons that the payload describes.
  ///
  /// ``categoryIdentifier`` is the category made for them, unless the payload names a category itself.
  public var buttons: [RichButton] = []
  /// The URL to open on a tap.
  public var deepLink: String?
  /// The sender of a communication notification; `nil` for an ordinary notification.
  public var sender: MessageSender?
  /// The sending service's identifier of this message.
  public var messageID: String?
  /// The dialect that the payload was read with.
  public var dialect: Dialect.ID = .none
  /// The result of decryption: `ok` or a failure's reason; `nil` if the payload is not encrypted and need not be.
  public var decryption: String?
  /// Whether the configuration's placeholder is shown instead of the payload's content.
  ///
  /// It is `true` for an encrypted message that has arrived before. With ``RichConfiguration/requiresEncryption`` it is also
  /// `true` for every payload that could not be decrypted.
  public var isWithheld = false
  /// The outcome of each media file that the payload requested, in the payload's order.
  public var media: [MediaOutcome] = []
  /// The outcome of each medium of the payload's template, in the order in which the template needs them; empty for a
  /// payload without a template.
  public var templateMedia: [TemplateMediaOutcome] = []
  /// Whether the fallback text replaces the body because media are missing.
  public var usedAlternativeText = false
  /// Values of the payload that had a wrong type and were ignored.
  public var findings: [PayloadFinding] = []
  /// The reason why the notification is not shown as the payload requested; `nil` if it is.
  public var note: String?
  /// Whether the notification is delivered as it arrived, because the extension is for other categories.
  package var isUntouched = false
  /// The time from the arrival of the notification to the call of the content handler.
  public var elapsed = Duration.zero

  init(text: NotificationText) { self.text = text }
}

/// A file on disk that is ready to be attached.
public struct AttachedMedia: Hashable, Sendable {
  /// The payload's own text: a URL, or the name of a local file.
  public var url: String
  /// The file's location.
  ///
  /// The system moves the file when the notification is delivered.
  public var file: URL
  /// The file's type.
  ///
  /// The file's name has the extension of this type.
  public var type: MediaType
  /// The source that determined the type.
  public var typeSource: MediaTypeDecision.Source
  /// The size in bytes.
  public var bytes: Int64
  /// The size in bytes before the image was scaled down; `nil` if it was not.
  public var reducedFrom: Int64?
  /// The HTTP status of the response; `nil` if the file is local.
  public var status: Int?
  /// The attachment's identifier within the notification; empty lets the system choose one.
  public var identifier = ""
  /// The options for the attachment's thumbnail.
  public var thumbnail = ThumbnailOptions()
  /// The file as the content extension shows it; `nil` if no template shows it, or it is only attached.
  var stored: Result<MediaManifest.File, MediaFailure>?
}

/// The outcome of one media file that a payload requested.
public struct MediaOutcome: Hashable, Sendable {
  /// Whether the file, or its fallback, is attached.
  public struct Result: RawRepresentable, Hashable, Sendable {
    /// The name as reports print it, such as `attached`.
    public let rawValue: String

    /// Creates a result.
    ///
    /// - Parameter rawValue: A lower-case word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The requested file is attached.
    public static let attached = Result(rawValue: "attached")
    /// A fallback that the payload names for the file is attached.
    public static let alternative = Result(rawValue: "alternative")
    /// Neither the file nor a fallback could be attached.
    public static let failed = Result(rawValue: "failed")
    /// The file was not requested: the notification already has as many as the policy allows.
    public static let skipped = Result(rawValue: "skipped")
  }

  /// The URL or file name that the payload requested.
  public var url: String
  /// Whether the file, or its fallback, is attached.
  public var result: Result
  /// The reason why the requested file is not attached; `nil` if it is.
  public var reason: MediaFailure.Reason?
  /// The HTTP status, if there was a response.
  public var status: Int?
  /// The number of bytes received.
  public var bytes: Int64
  /// The number of requests made, redirects and retries included, and of local files looked for.
  public var requestCount = 0
}
