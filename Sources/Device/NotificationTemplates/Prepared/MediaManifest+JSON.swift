package import PushPayload

/// The reason why a manifest cannot be used.
package struct ManifestError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A kind of fault, as reports print it.
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// The manifest does not exist or cannot be read.
    package static let notPrepared = Code(rawValue: "not-prepared")
    /// The manifest has more than ``MediaManifest/maximumBytes``, is not JSON, or lacks a required member.
    package static let malformed = Code(rawValue: "manifest-malformed")
    /// The manifest has another version.
    package static let version = Code(rawValue: "manifest-version")
    /// The manifest belongs to another template.
    package static let otherTemplate = Code(rawValue: "other-template")
  }

  package var code: Code
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}

extension MediaManifest {
  /// The manifest as it is written.
  package var json: JSONValue {
    [
      "version": .integer(Int64(Self.currentVersion)), "template": .string(template),
      "folder": .string(folder), "media": .array(media.map(\.json)),
    ]
  }

  /// Reads a manifest.
  ///
  /// A medium with any fault counts as missing, so that one fault costs one page.
  ///
  /// - Parameter bytes: The manifest's file.
  /// - Throws: ``ManifestError`` if the manifest as a whole cannot be used.
  package init(reading bytes: [UInt8]) throws(ManifestError) {
    guard bytes.count <= Self.maximumBytes else {
      throw ManifestError(
        .malformed, "the manifest has \(bytes.count) bytes; the limit is \(Self.maximumBytes)")
    }
    guard let json = try? JSONValue(parsing: bytes) else {
      throw ManifestError(.malformed, "the manifest is not JSON")
    }
    guard json["version"]?.integer == Int64(Self.currentVersion) else {
      throw ManifestError(
        .version, "the manifest's version must be \(Self.currentVersion), the one that is read")
    }
    guard json.hasOnly(["version", "template", "folder", "media"]) else {
      throw ManifestError(.malformed, "the manifest has a member that its version does not have")
    }
    guard let template = json["template"]?.string, Self.isName(template),
      let folder = json["folder"]?.string, Self.isName(folder), let media = json["media"]?.array,
      media.count <= Self.maximumMedia
    else {
      throw ManifestError(
        .malformed,
        "the manifest must have template and folder of 32 hexadecimal digits, and at most "
          + "\(Self.maximumMedia) media")
    }
    self.init(template: template, folder: folder, media: media.compactMap(Medium.init))
  }
}

extension MediaManifest.Medium {
  fileprivate var json: JSONValue {
    switch state {
    case .missing(let reason):
      return ["id": .string(id), "state": "missing", "reason": .string(reason)]
    case .ready(let file):
      var members: [String: JSONValue] = [
        "id": .string(id), "state": "ready", "file": .string(file.name),
        "type": .string(file.type.identifier), "bytes": .integer(file.bytes),
      ]
      members["width"] = file.pixels.map { .integer(Int64($0.width)) }
      members["height"] = file.pixels.map { .integer(Int64($0.height)) }
      return .object(members)
    }
  }

  private static let members: Set<String> = [
    "id", "state", "file", "type", "bytes", "width", "height",
  ]

  fileprivate init?(_ json: JSONValue) {
    guard let id = json["id"]?.string else { return nil }
    self.id = id
    if json["state"]?.string == "ready", json.hasOnly(Self.members) {
      state =
        MediaManifest.File(json).map { .ready($0) }
        ?? .missing(reason: ManifestError.Code.malformed.rawValue)
    } else {
      let reason = json["reason"]?.string ?? ""
      state = .missing(
        reason: Self.isReason(reason) ? reason : ManifestError.Code.malformed.rawValue)
    }
  }

  /// Whether a text is a code: lower-case words joined by hyphens, of at most 64 bytes.
  private static func isReason(_ text: String) -> Bool {
    1...64 ~= text.utf8.count
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}

extension MediaManifest.File {
  /// The pixels of a side that are believed: ``PixelSize`` of more is of no picture that iOS shows.
  private static let side: ClosedRange<Int64> = 1...65_535

  fileprivate init?(_ json: JSONValue) {
    guard let name = json["file"]?.string,
      let type = json["type"]?.string.flatMap(MediaType.init(identifier:)), type.isSupported,
      Self.isName(name, of: type), let bytes = json["bytes"]?.integer, bytes > 0
    else { return nil }
    self.init(name: name, type: type, bytes: bytes)
    guard let width = json["width"]?.integer, let height = json["height"]?.integer,
      Self.side.contains(width), Self.side.contains(height)
    else { return }
    pixels = PixelSize(width: Int(width), height: Int(height))
  }

  /// The name of a file: its number and the file name extension of its type.
  ///
  /// A name in this form has no slash, so it cannot lead to another folder.
  package static func name(number: Int, type: MediaType) -> String {
    "\(number).\(type.preferredExtension)"
  }

  private static func isName(_ name: String, of type: MediaType) -> Bool {
    guard let dot = name.firstIndex(of: "."), let number = Int(name[..<dot]), 0...99 ~= number
    else { return false }
    return name == Self.name(number: number, type: type)
  }
}

extension JSONValue {
  /// Whether all members are known; an unknown one may change the meaning of the others.
  fileprivate func hasOnly(_ names: Set<String>) -> Bool {
    (object ?? [:]).keys.allSatisfy(names.contains)
  }
}
