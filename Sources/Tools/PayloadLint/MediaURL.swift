import PushPayload

/// The parts of an http or https URL.
///
/// Rules compare only hosts and query items, so a URL that Foundation would refuse is parsed as far as possible.
struct MediaURL: Sendable {
  /// The host in lowercase, without a port and without `www.`.
  let host: String
  /// The path with its leading slash.
  let path: Substring
  private let query: Substring

  init?(_ url: String) {
    let text = url.drop { $0.isWhitespace }
    guard let slashes = text.firstRange(of: "://"),
      ["http", "https"].contains(text[..<slashes.lowerBound].lowercased())
    else { return nil }
    let rest = text[slashes.upperBound...].prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let name = (authority.split(separator: "@").last ?? "").prefix { $0 != ":" }.lowercased()
    host = name.hasPrefix("www.") ? String(name.dropFirst(4)) : name
    let address = rest[authority.endIndex...]
    path = address.prefix { $0 != "?" }
    query = address[path.endIndex...].dropFirst()
  }

  /// The path's components.
  var components: [Substring] { path.split(separator: "/") }

  /// The file name extension of the path in lowercase; empty if the path has none.
  var suffix: String {
    guard let name = components.last, let dot = name.lastIndex(of: ".") else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  /// Whether the host is one of some names, or a subdomain of one.
  func isOn(_ names: String...) -> Bool {
    names.contains { host == $0 || host.hasSuffix("." + $0) }
  }

  /// The decoded value of a query item, whose name may be in any letter case; `nil` if the URL does not have the item.
  subscript(name: String) -> String? {
    for item in query.split(separator: "&").prefix(100) {
      let key = item.prefix { $0 != "=" }
      if key.utf8.count == name.utf8.count, key.lowercased() == name.lowercased() {
        return Self.decoded(item.dropFirst(key.count + 1))
      }
    }
    return nil
  }

  /// The text with its percent-encoded bytes decoded.
  private static func decoded(_ text: Substring) -> String {
    guard text.contains("%") else { return String(text) }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let code = UInt8(digits, radix: 16) {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension MediaURL {
  /// The longest validity of a version 4 signature in S3 and Google Cloud Storage, in seconds.
  static let longestSignature: Int64 = 604_800

  /// The validity of a version 4 signature of S3 or Google Cloud Storage, in seconds.
  var signedDuration: Int64? {
    (self["X-Amz-Expires"] ?? self["X-Goog-Expires"]).flatMap { Int64($0) }
  }

  /// The time at which the URL's signature expires, in seconds since 1970; `nil` if the URL is not signed.
  var expiration: Int64? {
    if let date = self["X-Amz-Date"] ?? self["X-Goog-Date"], let seconds = signedDuration,
      let start = Self.compactTime(date), (0...1_000_000_000).contains(seconds)
    {
      return start + seconds
    }
    if let end = self["se"], self["sig"] != nil {
      return ISO8601DateTime(end).map { $0.milliseconds / 1000 }
    }
    let signatures = ["Signature", "Key-Pair-Id", "GoogleAccessId", "token", "sig", "hash", "md5"]
    if let time = self["Expires"].flatMap({ Int64($0) }),
      signatures.contains(where: { self[$0] != nil })
    {
      return (1_000_000_000..<100_000_000_000).contains(time) ? time : nil
    }
    return hexadecimalTime.flatMap { Int64($0, radix: 16) }
  }

  /// The expiry time in URLs of Discord's and Meta's CDNs.
  private var hexadecimalTime: String? {
    if isOn("discordapp.com", "discordapp.net"), self["hm"] != nil { return self["ex"] }
    return isOn("fbcdn.net", "cdninstagram.com") && self["oh"] != nil ? self["oe"] : nil
  }

  /// Reads a time such as `20261224T180000Z`.
  private static func compactTime(_ text: String) -> Int64? {
    let digits = text.filter(\.isNumber)
    guard digits.utf8.count == 14, text.utf8.count == 16 else { return nil }
    var parts: [Substring] = []
    var rest = digits[...]
    for length in [4, 2, 2, 2, 2, 2] {
      parts.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    let date = parts[..<3].joined(separator: "-")
    return ISO8601DateTime("\(date)T\(parts[3...].joined(separator: ":"))Z")
      .map { $0.milliseconds / 1000 }
  }
}
