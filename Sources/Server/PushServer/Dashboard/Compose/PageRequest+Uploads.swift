import PushModel
import _HTTPServer

extension PageRequest {
  /// The path of an uploaded video on this server; `nil` if the URL is not that of one.
  func film(_ url: String) async throws -> String? {
    guard let name = url.split(separator: "/").last, name.hasSuffix(".mp4"),
      try await actions.uploads?.file(url: url) != nil
    else { return nil }
    return "/media/\(name)"
  }
}
