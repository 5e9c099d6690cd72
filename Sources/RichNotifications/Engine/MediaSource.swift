import Foundation
import PushPayload

/// Where one media file comes from.
enum MediaSource: Hashable, Sendable {
  case remote(URL)
  /// The name of a file in the app's bundle.
  case bundled(String)

  /// Reads what a payload wrote: a URL, `file://name` or a bare file name.
  ///
  /// - Throws: ``MediaFailure`` for plain HTTP where it is not allowed, another scheme, or a name that
  ///   would leave the bundle.
  init(_ text: String, allowsPlainHTTP: Bool) throws(MediaFailure) {
    let scheme = text.firstRange(of: ":").map { text[..<$0.lowerBound].lowercased() }
    switch scheme {
    case "https", "http":
      // A space or an umlaut in a URL is common and harmless; Foundation escapes it.
      guard let url = URL(string: text), let host = url.host(), !host.isEmpty else {
        throw MediaFailure(.invalidURL, "not a URL")
      }
      guard scheme == "https" || allowsPlainHTTP else {
        throw MediaFailure(.notHTTPS, "the URL is http:; the system and this app take https: only")
      }
      self = .remote(url)
    case "file":
      self = .bundled(try Self.fileName(String(text.dropFirst("file:".count).trimmingPrefix("//"))))
    case nil:
      self = .bundled(try Self.fileName(text))
    default:
      throw MediaFailure(.invalidURL, "a URL must be https:, or name a file of the bundle")
    }
  }

  /// A bare name; a path could leave the bundle.
  private static func fileName(_ text: String) throws(MediaFailure) -> String {
    guard let name = text.removingPercentEncoding, !name.isEmpty, name != ".", name != "..",
      !name.contains(where: { $0 == "/" || $0 == "\\" || $0 == "\0" })
    else { throw MediaFailure(.invalidURL, "a bundled file is named without a folder") }
    return name
  }
}
