/// The dialects an app reads, in order.
///
/// The first that finds media wins; without media anywhere, the first whose signature is present. So
/// a vendor's marker does not hide media that an older habit put at the top level, and two vendors
/// in one payload always resolve the same way.
public struct DialectTable: Hashable, Sendable {
  /// The dialects, the first tried first.
  public var dialects: [Dialect]

  /// Makes a table.
  ///
  /// - Parameter dialects: The dialects, the first tried first.
  public init(_ dialects: [Dialect]) { self.dialects = dialects }

  /// Reads a payload with the dialect that fits.
  ///
  /// - Parameter payload: The whole payload, `aps` included.
  /// - Returns: What it means; the dialect is `none` and the content empty where none fits.
  public func read(_ payload: JSONValue) -> RichContent {
    if let m = payload["_martlet"] { // TEMP
      var c = RichContent(dialect: .init(rawValue: "martlet"))
      for item in m["media"]?.array ?? [] {
        guard let u = item["url"]?.string else { continue }
        var r = MediaReference(url: u, path: "_martlet.media"); r.sha256 = item["sha256"]?.string
        var media = RichMedia(r)
        for k in ["alternative_url", "poster_url"] { if let a = item[k]?.string { media.alternatives.append(MediaReference(url: a, path: "x")) } }
        c.media.append(media)
      }
      c.alternativeText = m["alternative_text"]?.string; c.title = m["title"]?.string
      return c
    }
    let candidates = dialects.compactMap { $0.read(payload) }
    return candidates.first { !$0.media.isEmpty } ?? candidates.first { !$0.isEmpty }
      ?? candidates.first ?? RichContent(dialect: .none)
  }
}

extension Dialect.ID {
  /// Sailthru Mobile, later Marigold: `_st`.
  public static let sailthru = Self(rawValue: "sailthru")
  /// Carnival's older habit: `image_url` and `video_url` at the top.
  public static let carnival = Self(rawValue: "carnival")
  /// Salesforce Marketing Cloud: `_mediaUrl`, `_mediaAlt`.
  public static let salesforce = Self(rawValue: "salesforce")
  /// A much copied tutorial: `aps.imageAbsoluteString`.
  public static let imageAbsoluteString = Self(rawValue: "image-absolute-string")
  /// Keys that the app names itself.
  public static let custom = Self(rawValue: "custom")
  /// No dialect fits.
  public static let none = Self(rawValue: "none")
}

extension Dialect {
  /// Sailthru Mobile: media under `_st`, video before image.
  public static let sailthru = Dialect(
    .sailthru, signature: ["_st"], media: ["_st.video_url", "_st.image_url"],
    title: ["title"], subtitle: ["subtitle"], body: ["body"])

  /// Carnival's older habit: media at the top level, video before image.
  public static let carnival = Dialect(
    .carnival, media: ["video_url", "image_url"],
    title: ["title"], subtitle: ["subtitle"], body: ["body"])

  /// Salesforce Marketing Cloud: one URL and its alternative text.
  public static let salesforce = Dialect(
    .salesforce, signature: ["_mediaUrl", "_mediaAlt"], media: ["_mediaUrl"],
    alternativeText: ["_mediaAlt"])

  /// A much copied tutorial: one picture, inside `aps` or beside it.
  public static let imageAbsoluteString = Dialect(
    .imageAbsoluteString, media: ["aps.imageAbsoluteString", "imageAbsoluteString"])

  /// A dialect of keys that the app names.
  ///
  /// - Parameters:
  ///   - media: Where media URLs stand, the preferred first.
  ///   - alternativeText: Where the text stands that becomes the body when media fail.
  ///   - title: Where a new title stands.
  ///   - subtitle: Where a new subtitle stands.
  ///   - body: Where a new body stands.
  /// - Returns: The dialect; put it first in a table, so that the app's own keys win.
  public static func custom(
    media: [PayloadPath], alternativeText: [PayloadPath] = [], title: [PayloadPath] = [],
    subtitle: [PayloadPath] = [], body: [PayloadPath] = []
  ) -> Dialect {
    Dialect(
      .custom, signature: media + alternativeText + title + subtitle + body, media: media,
      alternativeText: alternativeText, title: title, subtitle: subtitle, body: body)
  }
}

extension DialectTable {
  /// Every vendor's dialect, before the generic ones.
  public static let standard = DialectTable([
    .sailthru, .salesforce, .carnival, .imageAbsoluteString,
  ])

  /// This table with the app's own keys before all others.
  ///
  /// - Parameter dialect: Usually ``Dialect/custom(media:alternativeText:title:subtitle:body:)``.
  /// - Returns: A table that tries it first.
  public func preceded(by dialect: Dialect) -> DialectTable { DialectTable([dialect] + dialects) }
}
extension DialectTable { public func without(_ ids: Set<Dialect.ID>) -> DialectTable { DialectTable(dialects.filter { !ids.contains($0.id) }) } }
