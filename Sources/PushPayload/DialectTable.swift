/// The dialects an app reads, in order.
///
/// The first that finds media wins; without media anywhere, the first that asks for anything else
/// that shows, then the first with a link, then the first whose signature is present. So a vendor's
/// marker does not hide media that an older habit put at the top level, and two vendors in one
/// payload always resolve the same way.
public struct DialectTable: Hashable, Sendable {
  /// The dialects, the first tried first.
  public var dialects: [Dialect]

  /// Makes a table.
  ///
  /// - Parameter dialects: The dialects, the first tried first.
  public init(_ dialects: [Dialect]) { self.dialects = dialects }

  /// Every vendor's dialect; those that are known by a common word stand last.
  public static let standard = DialectTable([
    .martlet, .sailthru, .salesforce, .oneSignal, .airship, .fcm, .cleverTap, .iterable,
    .customerIO, .braze, .batch, .pushwoosh, .leanplum, .klaviyo, .adobe, .adobeCampaign, .expo,
    .notifee, .webEngage, .kumulos, .mixpanel, .swrve, .emarsys, .blueshift, .countly, .infobip,
    .mapp, .acoustic, .reteno, .appcues, .pinpoint, .twilio, .motiSig,
    .exponea, .mindbox, .carnival, .imageAbsoluteString, .generic,
  ])

  /// Reads a payload with the dialect that fits.
  ///
  /// - Parameter payload: The whole payload, `aps` included.
  /// - Returns: What it means; the dialect is `none` and the content empty where none fits. A
  ///   payload without a vendor's message identifier is named by `_nid`, if that is present.
  public func read(_ payload: JSONValue) -> PayloadRequest {
    var content = chosen(payload) ?? PayloadRequest(dialect: .none)
    if content.messageID == nil, let name = payload["_nid"]?.string, !name.isEmpty {
      content.messageID = name
    }
    return content
  }

  private func chosen(_ payload: JSONValue) -> PayloadRequest? {
    var best: PayloadRequest?
    // By index: a copy of every dialect would cost more than the look at its signature.
    for index in dialects.indices where dialects[index].signature.matches(payload) {
      let content = dialects[index].content(of: payload)
      if !content.media.isEmpty { return content }
      if best.map({ content.rank > $0.rank }) ?? true { best = content }
    }
    return best
  }
}

extension PayloadRequest {
  /// How much it says, where it asks for no media.
  fileprivate var rank: Int { !isEmpty ? 2 : deepLink != nil ? 1 : 0 }
}

extension DialectTable {
  /// This table with the app's own keys before all others.
  ///
  /// - Parameter dialect: Usually ``Dialect/custom(media:alternativeText:title:subtitle:body:)``.
  /// - Returns: A table that tries it first.
  public func preceded(by dialect: Dialect) -> DialectTable { DialectTable([dialect] + dialects) }

  /// This table without some dialects.
  ///
  /// - Parameter ids: Which are switched off; names that are not in the table mean nothing.
  /// - Returns: A table of the others.
  public func without(_ ids: Set<Dialect.ID>) -> DialectTable {
    DialectTable(dialects.filter { !ids.contains($0.id) })
  }

  /// This table with some of its dialects before the others.
  ///
  /// - Parameter ids: Which come first, in this order; names that are not in the table mean nothing.
  /// - Returns: A table of the same dialects.
  public func preferring(_ ids: [Dialect.ID]) -> DialectTable {
    var preferred: [Dialect] = []
    var others = dialects
    for id in ids {
      preferred += others.filter { $0.id == id }
      others.removeAll { $0.id == id }
    }
    return DialectTable(preferred + others)
  }
}
