import Foundation

/// The location of a media file as a payload gives it: a URL or the name of a local file.
enum MediaAddress: Hashable, Sendable {
  case remote(URL)
  /// A path relative to the app's bundle or the app group's container.
  case local(String)

  /// Reads a URL, `file://name` or a bare file name.
  ///
  /// - Throws: ``MediaFailure`` for another scheme, or a path that leads out of the folder.
  init(_ text: String) throws(MediaFailure) {
    let scheme = text.firstRange(of: ":").map { text[..<$0.lowerBound].lowercased() }
    switch scheme {
    case "https", "http":
      // Foundation percent-encodes spaces and other characters that senders often leave unescaped.
      guard let url = URL(string: text) else {
        throw MediaFailure(.invalidURL, "the payload's media address is not a URL")
      }
      self = .remote(url)
    case "file":
      self = .local(try Self.path(String(text.dropFirst("file:".count).trimmingPrefix("//"))))
    case nil:
      self = .local(try Self.path(text))
    default:
      throw MediaFailure(
        .invalidURL, "a media address must be an https: URL or the name of a file of the app")
    }
  }

  /// The decoded path, which must not lead out of its folder.
  private static func path(_ text: String) throws(MediaFailure) -> String {
    // Compared by bytes, as the file system does: to `Character`, a slash with an accent is not a slash.
    let path = text.removingPercentEncoding ?? text
    guard path.utf8.count <= 1024,
      !path.utf8.contains(where: { $0 == UInt8(ascii: "\\") || $0 == 0 }),
      path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        .allSatisfy({ !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) })
    else {
      throw MediaFailure(
        .invalidURL, "the path of a local file must be relative, without . or .. or backslashes")
    }
    return path
  }
}
