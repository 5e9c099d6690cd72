import Foundation

/// The checks and header fields that all loaders share.
extension MediaRequest {
  /// The error of a request that no loader may send; `nil` if the request is valid.
  package var refusal: MediaLoadError? {
    guard let scheme = url.scheme?.lowercased(), scheme == "https" || scheme == "http" else {
      return MediaLoadError(.unsupportedURL, "the URL's scheme is neither https nor http")
    }
    guard url.user() == nil, url.password() == nil else {
      return MediaLoadError(.unsupportedURL, "the URL contains a user name or a password")
    }
    guard Self.isToken(method),
      headers.allSatisfy({ Self.isToken($0.key) && Self.isFieldValue($0.value) })
    else {
      return MediaLoadError(
        .network, "the method or a header field contains a character that HTTP does not allow")
    }
    guard allowsPrivateAddress || !PrivateAddress.isHost(of: url) else {
      return MediaLoadError(
        .privateAddress, "the URL's host is private, and private addresses are not allowed")
    }
    return nil
  }

  /// The header fields to send: the loader's own, overridden by ``headers``.
  ///
  /// `Accept-Encoding` is `identity`, because media are compressed already and only an unencoded body has a
  /// known length and can be resumed. The other fields replace the system's values, which reveal the app and
  /// its user's languages.
  package var fields: [(name: String, value: String)] {
    let own = ["Accept-Encoding": "identity", "Accept-Language": "*", "User-Agent": "Martlet"]
    let given = Set(headers.keys.map { $0.lowercased() })
    let all = own.filter { !given.contains($0.key.lowercased()) }.merging(headers) { $1 }
    return all.map { (name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
  }

  /// Whether a name is a token (RFC 9110 section 5.6.2).
  private static func isToken(_ name: String) -> Bool {
    let marks = Set("!#$%&'*+-.^_`|~".utf8)
    return !name.isEmpty
      && name.utf8.allSatisfy {
        marks.contains($0) || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
          || (0x61...0x7A).contains($0)
      }
  }

  /// Whether a value has no control characters other than the tab (RFC 9110 section 5.5).
  private static func isFieldValue(_ value: String) -> Bool {
    value.utf8.allSatisfy { $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }
  }
}
