import PushPayload
package import _HTTPServer

extension Router {
  /// The largest body in bytes that a path takes: 1 MiB, for an import 256 MiB, and for a page with
  /// a file a little more than the file's own limit.
  package static func bodyLimit(method: String, path: String) -> Int {
    guard method == "POST" else { return 1 << 20 }
    if path == DeviceRoutes.importPath { return 256 << 20 }
    if ImportFile.isPage(path) { return ImportFile.formLimit }
    return Uploads.isPath(path) ? Uploads.bodyLimit : 1 << 20
  }

  /// Whether the handler of a path reads the body while it arrives.
  package static func streamsBody(method: String, path: String) -> Bool {
    method == "POST" && (path == DeviceRoutes.importPath || ImportFile.isPage(path))
  }

  /// The memory that the handler of a request needs for its body.
  ///
  /// A body without a type counts as JSON, which needs the most memory.
  package static func bodyCost(of head: HTTPRequest) -> BodyCost {
    switch head.mediaType {
    case "multipart/form-data": .bytes
    case URLEncoded.mediaType: .text
    default: .json
    }
  }
}

extension HTTPRequest {
  /// The media type of `Content-Type` in lowercase, without parameters.
  var mediaType: String? {
    header("Content-Type").map { field in
      Substring(field.utf8.prefix { $0 != UInt8(ascii: ";") }).trimmed.lowercased()
    }
  }
}
