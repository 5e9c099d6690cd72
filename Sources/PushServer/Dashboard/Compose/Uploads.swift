import Foundation
import PushPayload
import _HTTPServer
import _OpenSSLCrypto

/// Media that people upload: kept under names nobody guesses, and served to phones without a key.
///
/// What a file is, its bytes decide; the name and type that a browser tells are not looked at.
struct Uploads: Sendable {
  /// What a file may have; more is no attachment.
  static let limit = 50 << 20
  /// That and the fields of the form around it.
  static let bodyLimit = limit + (1 << 20)
  /// Of those iOS attaches, the ones that every browser shows too, and audio.
  static let types: [MediaType] = [.jpeg, .png, .gif, .mpeg4, .mp3, .m4a, .wav, .aiff, .aifc]

  let folder: String

  /// Whether a page at this path takes uploads.
  static func isPath(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[1] == "apps" && parts[3] == "compose"
  }

  /// Keeps a file and says its name.
  ///
  /// - Throws: ``APIError`` 413, 415, or 503 where it cannot be written.
  func store(_ bytes: ArraySlice<UInt8>) throws(APIError) -> String {
    guard bytes.count <= Self.limit else {
      throw APIError(413, "the file has more than \(Self.limit >> 20) MiB")
    }
    guard let type = MediaType(signature: bytes), Self.types.contains(type) else {
      throw APIError(415, "the file is no JPEG, PNG, GIF, MP4 or audio that iOS shows")
    }
    guard bytes.count <= type.family.maximumBytes else {
      throw APIError(
        413,
        "iOS attaches \(type.family) of up to \(type.family.maximumBytes / 1_000_000) MB, not \(bytes.count) bytes"
      )
    }
    let name = Identifiers.hex(OpenSSLCrypto.randomBytes(16)) + "." + type.preferredExtension
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try Data(bytes).write(to: URL(filePath: folder).appending(path: name), options: .atomic)
    } catch {
      throw APIError(503, "the server cannot keep the file; see the disk of its data folder")
    }
    return name
  }

  /// The path of a file that is there; `nil` for what ``store(_:)`` never named.
  func path(_ name: String) -> String? {
    guard name.wholeMatch(of: /[0-9a-f]{32}\.[0-9a-z]{3,4}/) != nil else { return nil }
    let path = folder + "/" + name
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  /// The path of the file behind a URL that ``publicURL(of:)`` made.
  func path(url: String) -> String? {
    guard let range = url.range(of: "/media/", options: .backwards) else { return nil }
    return path(String(url[range.upperBound...]))
  }

  static func answer(_ call: Call, _ api: API) throws(APIError) -> HTTPResponse {
    let name = call.parameter("name")
    guard let path = api.dashboard.mediaFolder.flatMap({ Uploads(folder: $0).path(name) }),
      let type = MediaType(pathExtension: String(name.drop { $0 != "." }.dropFirst())),
      let mimeType = type.mimeTypes.first
    else { throw .notFound("file with this name") }
    return HTTPResponse(
      status: 200,
      headers: [
        ("Content-Type", mimeType), ("X-Content-Type-Options", "nosniff"),
        ("Cache-Control", "public, max-age=31536000, immutable"),
        ("Content-Security-Policy", "default-src 'none'; sandbox"),
        ("Cross-Origin-Resource-Policy", "cross-origin"),
      ], body: .file(path))
  }
}

extension Visit {
  var uploads: Uploads? { api.dashboard.mediaFolder.map(Uploads.init) }

  /// Where phones find a file of that name.
  func publicURL(of name: String) -> String {
    let scheme = api.dashboard.isSecure ? "https" : "http"
    let base =
      api.dashboard.publicURL ?? "\(scheme)://\(request.header("Host") ?? "localhost")"
    return base + "/media/" + name
  }
}
