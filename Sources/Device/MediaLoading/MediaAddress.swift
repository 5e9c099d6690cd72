package import Foundation

/// The location of a media file as a payload gives it: a URL or the name of a local file.
package enum MediaAddress: Hashable, Sendable {
  case remote(URL)
  /// A path relative to the extension's bundle or the app group's container.
  case local(String)

  /// The refusal of a text that locates no file.
  package struct Refusal: Error {
    /// The fault and its remedy, in words that follow the name of the text.
    package var reason: String
  }

  /// Reads a URL, `file://name` or a bare file name.
  ///
  /// - Throws: ``Refusal`` for another scheme, a URL without a host, or a path that leads out of the folder.
  package init(_ text: String) throws(Refusal) {
    let scheme = text.firstRange(of: ":").map { text[..<$0.lowerBound].lowercased() }
    switch scheme {
    case "https", "http": self = .remote(try Self.url(text))
    case "file":
      self = .local(try Self.path(String(text.dropFirst("file:".count).trimmingPrefix("//"))))
    case nil: self = .local(try Self.path(text))
    default: throw Refusal(reason: "must be an https: URL or the name of a file of the app")
    }
  }

  private static func url(_ text: String) throws(Refusal) -> URL {
    let escaped = MediaURLText(text)
    guard let url = URL(string: escaped.text) else { throw Refusal(reason: "is not a URL") }
    guard let host = url.host(percentEncoded: false), !host.isEmpty else {
      throw Refusal(reason: "has no host; write https:// and the host")
    }
    guard !["https", "http"].contains(host.lowercased()) else {
      throw Refusal(reason: "begins with https:// twice")
    }
    guard escaped.hasValidPort else {
      throw Refusal(reason: "has a port that is not a number from 1 to 65535")
    }
    return url
  }

  /// The URL as loaders request it; `nil` for a local file.
  package var url: URL? {
    guard case .remote(let url) = self else { return nil }
    return url
  }

  /// The decoded path, which must not lead out of its folder.
  private static func path(_ text: String) throws(Refusal) -> String {
    // Compared by bytes, as the file system does: to `Character`, a slash with an accent is not a
    // slash.
    let path = text.removingPercentEncoding ?? text
    guard path.utf8.count <= 1024,
      !path.utf8.contains(where: { $0 == UInt8(ascii: "\\") || $0 == 0 }),
      path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        .allSatisfy({ !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) })
    else {
      throw Refusal(
        reason: "must be a relative path of at most 1024 bytes, without . or .. or backslashes")
    }
    return path
  }
}
