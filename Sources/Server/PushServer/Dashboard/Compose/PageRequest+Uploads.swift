import PushStore
import _HTTPServer

extension PageRequest {
  /// The path of an uploaded film, on this server; `nil` for any other URL.
  func film(_ url: String) async throws -> String? {
    guard let name = url.split(separator: "/").last, name.hasSuffix(".mp4"),
      try await api.uploads?.file(url: url) != nil
    else { return nil }
    return "/media/\(name)"
  }
}
