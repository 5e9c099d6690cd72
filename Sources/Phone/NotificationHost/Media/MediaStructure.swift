package import Foundation
@_spi(Host) import UserNotifications

/// The structure of a media file: its headers, and the lengths that they name.
///
/// The content of pictures and frames is not decoded.
package enum MediaStructure {
  /// A reader of one format.
  struct Format: Sendable {
    var name: String
    /// Whether the file begins as one of this format.
    var begins: @Sendable (inout FileBytes) -> Bool
    /// Returns the fault of a file that begins as one of this format; `nil` if it has no fault.
    var fault: @Sendable (inout FileBytes) -> String? = { _ in nil }
  }

  /// The most parts of a file that are read: chunks, blocks, segments or boxes.
  static let maximumParts = 200_000

  /// Returns the reason why the system cannot decode a file; `nil` if it can.
  ///
  /// Any format of the same kind of media is accepted, because decoders read the content and not the name.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - type: The type of the attachment, a Uniform Type Identifier.
  /// - Returns: The fault of the file.
  package static func fault(of file: URL, type: String) -> String? {
    guard let kind = UNAttachmentType.kind(forIdentifier: type) else { return nil }
    var file = FileBytes(file)
    guard file.size > 0 else { return "the file is empty" }
    let formats: [Format] =
      switch kind {
      case .image: [.png, .jpeg, .gif, .heic]
      case .audio: [.mp3, .wave, .aiff, .movie] + Format.otherAudio
      case .movie: [.movie, .avi] + Format.otherMovies
      }
    for format in formats where format.begins(&file) {
      return format.fault(&file).map { "\(format.name) \($0)" }
    }
    return "its content is \(file.description) and not that of \(kind.noun)"
  }
}

extension UNAttachmentType.Kind {
  fileprivate var noun: String {
    switch self {
    case .audio: "an audio file"
    case .image: "an image"
    case .movie: "a movie"
    }
  }
}

extension FileBytes {
  /// The likely kind of the file's first bytes, for a message.
  fileprivate var description: String {
    var file = self
    let head = file.read(min(size, 64), at: 0) ?? []
    let first = head.first { !" \t\r\n".utf8.contains($0) && $0 < 0x80 }
    switch first {
    case UInt8(ascii: "<"): return "HTML or XML"
    case UInt8(ascii: "{"), UInt8(ascii: "["): return "JSON"
    default:
      let isText = head.allSatisfy { (0x20..<0x7F).contains($0) || [9, 10, 13].contains($0) }
      return isText ? "text" : "of another format"
    }
  }
}

extension MediaStructure.Format {
  /// Formats with a check of the first bytes only.
  static let otherAudio = [
    MediaStructure.Format(name: "the CAF file", begins: { $0.has("caff") }),
    MediaStructure.Format(name: "the AU file", begins: { $0.has(".snd") }),
    MediaStructure.Format(name: "the AMR file", begins: { $0.has("#!AMR") }),
    MediaStructure.Format(
      name: "the AC-3 file", begins: { $0.number(bytes: 2, at: 0) == 0x0B77 }),
  ]
  /// Formats with a check of the first bytes only.
  static let otherMovies = [
    MediaStructure.Format(
      name: "the MPEG file",
      begins: { [0x1BA, 0x1B3].contains($0.number(bytes: 4, at: 0)) }),
    MediaStructure.Format(
      name: "the MPEG transport stream", begins: { $0.has("G") && $0.has("G", at: 188) }),
  ]
}
