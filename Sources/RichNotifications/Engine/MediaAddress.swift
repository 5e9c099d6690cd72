import Foundation

/// Where one media file lies, as a payload writes it.
enum MediaAddress: Hashable, Sendable {
  case remote(URL)
  /// The path of a file below the app's bundle or the app group's folder.
  case local(String)

  /// Reads a URL, `file://name` or a bare file name.
  ///
  /// - Throws: ``MediaFailure`` for another scheme, or a path that would leave the folder.
  init(_ text: String) throws(MediaFailure) {
    let scheme = text.firstRange(of: ":").map { text[..<$0.lowerBound].lowercased() }
    switch scheme {
    case "https", "http":
      // A space or an umlaut in a URL is common and harmless; Foundation escapes it.
      guard let url = URL(string: text) else { throw MediaFailure(.invalidURL, "not a URL") }
      self = .remote(url)
    case "file":
      self = .local(try Self.path(String(text.dropFirst("file:".count).trimmingPrefix("//"))))
    case nil:
      self = .local(try Self.path(text))
    default:
      throw MediaFailure(.invalidURL, "a URL must be https:, or name a file of the app")
    }
  }

  /// A path that stays below where it begins.
  private static func path(_ text: String) throws(MediaFailure) -> String {
    // By bytes, as the file system reads it: a slash with an accent is still one.
    let path = text.removingPercentEncoding ?? text
    guard path.utf8.count <= 1024,
      !path.utf8.contains(where: { $0 == UInt8(ascii: "\\") || $0 == 0 }),
      path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        .allSatisfy({ !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) })
    else { throw MediaFailure(.invalidURL, "a local file is named by a path below its folder") }
    return path
  }
}
