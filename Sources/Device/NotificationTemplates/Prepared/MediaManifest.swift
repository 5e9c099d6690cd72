package import PushPayload

/// The list of a template's media that the service extension has prepared.
///
/// The service extension writes it after the files, in the app group's container. The content extension reads it with
/// ``PreparedTemplate`` and fetches nothing.
package struct MediaManifest: Hashable, Sendable {
  /// The version that is written, and the only one that is read.
  package static let currentVersion = 1
  /// The folder of all manifests and files, relative to the app group's container.
  ///
  /// The system does not back up caches, and may remove them if the phone has little space.
  package static let root = "Library/Caches/Martlet/Templates"
  /// The largest manifest in bytes.
  package static let maximumBytes = 65_536
  /// The most media of a manifest; no kind of template has as many.
  package static let maximumMedia = 32

  /// A file that can be shown.
  package struct File: Hashable, Sendable {
    /// The name in the manifest's ``MediaManifest/folder``: a number, and the file name extension of the type.
    package var name: String
    package var type: MediaType
    package var bytes: Int64
    /// The size of a picture as it is shown; `nil` for movies and sounds, or if the file's head does not give the size.
    package var pixels: PixelSize?

    package init(name: String, type: MediaType, bytes: Int64, pixels: PixelSize? = nil) {
      self.name = name
      self.type = type
      self.bytes = bytes
      self.pixels = pixels
    }
  }

  /// Whether a medium can be shown.
  package enum State: Hashable, Sendable {
    case ready(File)
    /// The reason is a code, such as `http-status`.
    case missing(reason: String)
  }

  /// One medium of the template.
  package struct Medium: Hashable, Sendable {
    /// The ``TemplateMedia/id``.
    package var id: String
    package var state: State

    package init(id: String, state: State) {
      self.id = id
      self.state = state
    }
  }

  /// The hash of the template's media, as ``hash(of:)`` makes it.
  package var template: String
  /// The folder of the files in ``root``: 32 lower-case hexadecimal digits.
  package var folder: String
  /// The media in the order in which the template needs them.
  package var media: [Medium]

  package init(template: String, folder: String, media: [Medium]) {
    self.template = template
    self.folder = folder
    self.media = media
  }
}

/// The size of a picture in pixels.
package struct PixelSize: Hashable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

extension MediaManifest {
  /// A hash of a template's media.
  ///
  /// A notification may replace another one with the same identifier, so the identifier does not show for which of them the
  /// files were prepared.
  package static func hash(of template: NotificationTemplate) -> String {
    WordHash(of: template.media.flatMap { [$0.id, $0.url, $0.alternative ?? ""] }).hexadecimal
  }

  /// Returns the names of the manifests that a notification may have.
  ///
  /// Identifiers are hashed, because they may have any characters and any length.
  ///
  /// - Parameters:
  ///   - request: The identifier of the notification request; empty if it is unknown.
  ///   - message: The sending service's identifier of the message.
  /// - Returns: The names without their extension, the preferred first.
  package static func names(request: String, message: String?) -> [String] {
    var names: [String] = []
    if !request.isEmpty { names.append(WordHash(of: ["request", request]).hexadecimal) }
    if let message, !message.isEmpty {
      names.append(WordHash(of: ["message", message]).hexadecimal)
    }
    return names
  }

  /// The file of a manifest, relative to the app group's container.
  package static func path(ofName name: String) -> String { "\(root)/\(name)\(suffix)" }

  /// The end of a manifest's file name.
  package static let suffix = ".json"

  /// Whether a text is the name of a manifest or of a folder of files: 32 lower-case hexadecimal digits.
  package static func isName(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 32
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
      }
  }
}
