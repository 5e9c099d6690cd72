/// How one vendor writes rich content into a payload: data, not code.
///
/// A vendor is known by its signature before any generic key is read. All readers treat `null`, an
/// empty string and a value of a wrong type as absent; the last is said in
/// ``PayloadRequest/findings``.
public struct Dialect: Hashable, Sendable {
  /// The dialect's name in traces and reports.
  public struct ID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name: `sailthru`.
    public let rawValue: String

    /// Names a dialect.
    ///
    /// - Parameter rawValue: A lower-case word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }
  }

  /// The most media that are read from a payload; further ones are left out, with a finding.
  public static let maximumMedia = 10
  /// The most buttons that are read from a payload, which is also the most that iOS draws.
  public static let maximumButtons = 10

  /// Its name.
  public var id: ID
  /// What shows it: any of them is enough.
  public var signature: [Signature]
  /// Where its keys may stand, the first tried first; by default at the top.
  public var roots: [PayloadPath] = [""]
  /// Where media stand, the preferred first; the first that holds any is wanted.
  public var media: [MediaRule]
  /// Where the text stands that becomes the body when media fail.
  public var alternativeText: [PayloadPath] = []
  /// Where a new title stands.
  public var title: [PayloadPath] = []
  /// Where a new subtitle stands.
  public var subtitle: [PayloadPath] = []
  /// Where a new body stands.
  public var body: [PayloadPath] = []
  /// Whether these texts count only where media are shown.
  public var textNeedsMedia = false
  /// Where buttons stand; the first that holds any counts.
  public var buttons: [ButtonRule] = []
  /// Where a category stands beside `aps.category`.
  public var category: [PayloadPath] = []
  /// Where it stands to what a tap leads.
  public var deepLink: [PayloadPath] = []
  /// Where the vendor's name of the message stands.
  public var messageID: [PayloadPath] = []
  /// Where it stands what happens to the number on the icon.
  public var badge: [BadgeRule] = []

  /// Describes a dialect; what it says beyond media is set on the value.
  ///
  /// - Parameters:
  ///   - id: Its name.
  ///   - signature: What shows it; by default a value in any of its media's places.
  ///   - media: Where media stand, the preferred first.
  ///   - more: Sets what else it says.
  public init(
    _ id: ID, signature: [Signature]? = nil, media: [MediaRule] = [],
    _ more: (inout Dialect) -> Void = { _ in }
  ) {
    self.id = id
    self.signature = signature ?? media.map { .present($0.item) }
    self.media = media
    more(&self)
  }
}
