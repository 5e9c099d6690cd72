import Foundation

/// What every loader does with a request before it sends anything.
extension MediaRequest {
  /// Why no loader sends this; `nil` where nothing speaks against it.
  package var refusal: MediaLoadError? {
    guard let scheme = url.scheme?.lowercased(), scheme == "https" || scheme == "http" else {
      return MediaLoadError(.unsupportedURL, "not an http URL")
    }
    guard url.user() == nil, url.password() == nil else {
      return MediaLoadError(.unsupportedURL, "the URL holds a user name or a password")
    }
    guard headers.allSatisfy({ Self.isToken($0.key) && Self.isFieldValue($0.value) }) else {
      return MediaLoadError(.network, "a header field holds what HTTP does not allow in one")
    }
    guard allowsPrivateAddress || !PrivateAddress.isHost(of: url) else {
      return MediaLoadError(.privateAddress, "the URL names a private host")
    }
    return nil
  }

  /// The header fields to send: what every request has, unless `headers` say otherwise, and those.
  ///
  /// Media are compressed already, and only the bytes as they are have a true length and can be resumed.
  /// The rest keeps the system's own values, which tell an app and its user's languages, off the wire.
  package var fields: [(name: String, value: String)] {
    let own = ["Accept-Encoding": "identity", "Accept-Language": "*", "User-Agent": "Martlet"]
    let given = Set(headers.keys.map { $0.lowercased() })
    let all = own.filter { !given.contains($0.key.lowercased()) }.merging(headers) { $1 }
    return all.map { (name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
  }

  /// RFC 9110 section 5.6.2.
  private static func isToken(_ name: String) -> Bool {
    let marks = Set("!#$%&'*+-.^_`|~".utf8)
    return !name.isEmpty
      && name.utf8.allSatisfy {
        marks.contains($0) || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
          || (0x61...0x7A).contains($0)
      }
  }

  /// RFC 9110 section 5.5: no control but the tab, above all no CR, LF or NUL.
  private static func isFieldValue(_ value: String) -> Bool {
    value.utf8.allSatisfy { $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }
  }
}
