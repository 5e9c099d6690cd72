/// The dialects that an app reads, in order of preference.
///
/// ```swift
/// let request = DialectTable.standard.read([
///   "aps": ["alert": "Rain at noon", "mutable-content": 1],
///   "_st": ["image_url": "https://example.com/rain.png"],
/// ])
/// print(request.dialect, request.media[0].wanted.url)  // sailthru https://example.com/rain.png
/// ```
///
/// A payload with a vendor's own mark is read as that vendor's, even if another dialect would find media under a key that
/// several vendors share. Shared keys count only if no vendor's own mark is present. If several dialects match, the first one
/// that finds media is used. If no dialect finds media, it is the first that changes anything visible, then the first with a
/// link, then the first of all. So the result does not depend on the order of keys.
public struct DialectTable: Hashable, Sendable {
  /// The dialects, the preferred first.
  public var dialects: [Dialect]

  /// Makes a table.
  ///
  /// - Parameter dialects: The dialects, the preferred first.
  public init(_ dialects: [Dialect]) { self.dialects = dialects }

  /// The dialects of all vendors; those with keys that are common words come last.
  public static let standard = DialectTable([
    .martlet, .motiSig, .sailthru, .salesforce, .oneSignal, .airship, .homeAssistant, .cleverTap,
    .iterable, .customerIO, .braze, .batch, .pushwoosh, .leanplum, .klaviyo, .adobe, .adobeCampaign,
    .expo, .notifee, .webEngage, .kumulos, .mixpanel, .swrve, .emarsys, .blueshift, .countly,
    .infobip, .mapp, .acoustic, .reteno, .appcues, .pinpoint, .twilio, .wonderPush, .moEngage,
    .dengage, .notificare, .localytics, .relatedDigital, .ntfy, .exponea, .fcm, .mindbox, .carnival,
    .imageAbsoluteString, .generic,
  ])

  /// Reads a payload with the dialect that it belongs to.
  ///
  /// - Parameter payload: The whole payload, `aps` included.
  /// - Returns: The payload's request; an empty one with the dialect ``Dialect/ID/none`` if no signature matches. If the
  ///   vendor's keys have no message identifier, it is the value of `_nid`.
  public func read(_ payload: JSONValue) -> PayloadRequest {
    var request = bestRequest(of: payload) ?? PayloadRequest(dialect: .none)
    if request.messageID == nil, let id = payload["_nid"]?.string, !id.isEmpty {
      request.messageID = id
    }
    return request
  }

  private func bestRequest(of payload: JSONValue) -> PayloadRequest? {
    bestRequest(of: payload) { $0.signature.matches(payload) }
      ?? bestRequest(of: payload) { $0.sharedSignature.matches(payload) }
  }

  private func bestRequest(
    of payload: JSONValue, where matches: (borrowing Dialect) -> Bool
  ) -> PayloadRequest? {
    var best: PayloadRequest?
    // By index, because copying every dialect costs more than checking its signature.
    for index in dialects.indices where matches(dialects[index]) {
      let request = dialects[index].request(of: payload)
      if !request.media.isEmpty { return request }
      if best.map({ request.rank > $0.rank }) ?? true { best = request }
    }
    return best
  }
}

extension PayloadRequest {
  /// The preference among requests without media; the highest is used.
  fileprivate var rank: Int { !isEmpty ? 2 : deepLink != nil ? 1 : 0 }
}

extension DialectTable {
  /// A table with a further dialect before all others.
  ///
  /// - Parameter dialect: Usually ``Dialect/custom(media:alternativeText:title:subtitle:body:)``.
  /// - Returns: The dialect, followed by those of this table.
  public func preceded(by dialect: Dialect) -> DialectTable { DialectTable([dialect] + dialects) }

  /// A table without some dialects.
  ///
  /// - Parameter ids: The dialects to leave out; names that the table does not have are ignored.
  /// - Returns: The other dialects of this table.
  public func without(_ ids: Set<Dialect.ID>) -> DialectTable {
    DialectTable(dialects.filter { !ids.contains($0.id) })
  }

  /// A table with some of its dialects before the others.
  ///
  /// The keys that these share with other dialects count as their own marks.
  ///
  /// - Parameter ids: The dialects that come first, in this order; names that the table does not have are ignored.
  /// - Returns: The dialects of this table in the new order.
  public func preferring(_ ids: [Dialect.ID]) -> DialectTable {
    var preferred: [Dialect] = []
    var others = dialects
    for id in ids {
      preferred += others.filter { $0.id == id }.map { dialect in
        var dialect = dialect
        dialect.signature += dialect.sharedSignature
        dialect.sharedSignature = []
        return dialect
      }
      others.removeAll { $0.id == id }
    }
    return DialectTable(preferred + others)
  }
}
