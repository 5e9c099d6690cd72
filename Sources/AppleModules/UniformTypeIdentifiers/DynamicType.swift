/// A type that nobody declares, whose identifier `dyn.a…` has its tag and the types it conforms to.
///
/// The identifier encodes `1=gpx`, or `?0=6:1=gpx` if it conforms to a type. The digit before `=` stands for
/// `UTTypeConformsTo` or a class of tags; the values have abbreviations too.
///
/// Apple documents only the prefix. The encoding is known from identifiers that systems made.
struct DynamicType {
  var parents: [String]
  var tagClass: UTTagClass
  var tag: String

  private static let alphabet = Array("abcdefghkmnpqrstuvwxyz0123456789")
  private static let words = [
    "UTTypeConformsTo", "public.filename-extension", "com.apple.ostype", "public.mime-type",
    "com.apple.nspboard-type", "public.url-scheme", "public.data", "public.text",
    "public.plain-text", "public.utf16-plain-text", "com.apple.traditional-mac-plain-text",
    "public.image", "public.video", "public.audio", "public.directory", "public.folder",
  ]

  init(parents: [String], tagClass: UTTagClass, tag: String) {
    self.parents = parents
    self.tagClass = tagClass
    self.tag = tag.lowercased()
  }

  /// Reads an identifier; `nil` if it is not that of a dynamic type.
  init?(identifier: String) {
    guard identifier.hasPrefix("dyn.a"), let text = Self.decode(identifier.dropFirst(5)) else {
      return nil
    }
    parents = []
    var found: (UTTagClass, String)?
    let entries = text.hasPrefix("?") ? text.dropFirst() : text[...]
    for entry in Self.split(entries, at: ":") {
      let parts = Self.split(entry[...], at: "=")
      guard parts.count == 2 else { return nil }
      let values = Self.split(parts[1][...], at: ",").map { Self.unescaped($0) }
      let key = Self.word(parts[0])
      if key == Self.words[0] {
        parents = values.map(Self.word)
      } else if found == nil {
        found = (UTTagClass(rawValue: key), values.first ?? "")
      }
    }
    guard let (tagClass, tag) = found else { return nil }
    self.tagClass = tagClass
    self.tag = tag
  }

  var identifier: String {
    let conformance =
      parents.isEmpty ? "" : "?0=\(parents.map(Self.abbreviation).joined(separator: ",")):"
    let text = "\(conformance)\(Self.abbreviation(tagClass.rawValue))=\(Self.escaped(tag))"
    return "dyn.a" + Self.encode(text)
  }

  private static func abbreviation(_ word: String) -> String {
    words.firstIndex(of: word).map { String($0, radix: 16, uppercase: true) } ?? escaped(word)
  }

  private static func word(_ text: String) -> String {
    guard text.count == 1, let index = Int(text, radix: 16) else { return text }
    return words[index]
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { $0 += ":,=\\?".contains($1) ? "\\\($1)" : String($1) }
  }

  private static func unescaped(_ text: String) -> String {
    var isEscaped = false
    return String(
      text.filter { character in
        isEscaped = character == "\\" && !isEscaped
        return !isEscaped
      })
  }

  /// The parts of a text between separators that are not escaped.
  private static func split(_ text: Substring, at separator: Character) -> [String] {
    var parts = [""]
    var isEscaped = false
    for character in text {
      if character == separator, !isEscaped {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
      isEscaped = character == "\\" && !isEscaped
    }
    return parts
  }

  private static func encode(_ text: String) -> String {
    var result = ""
    var bits = 0
    var buffer = 0
    for byte in text.utf8 {
      buffer = (buffer << 8 | Int(byte)) & 0xFFFF
      bits += 8
      while bits >= 5 {
        bits -= 5
        result.append(alphabet[buffer >> bits & 31])
      }
    }
    if bits > 0 { result.append(alphabet[buffer << (5 - bits) & 31]) }
    return result
  }

  private static func decode(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var bits = 0
    var buffer = 0
    for character in text {
      guard let value = alphabet.firstIndex(of: character) else { return nil }
      buffer = (buffer << 5 | value) & 0xFFFF
      bits += 5
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
