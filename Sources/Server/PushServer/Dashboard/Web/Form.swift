import Foundation
import _HTTPServer

/// The fields of a submitted HTML form, in order, and its files.
struct Form: Sendable {
  struct File: Sendable {
    var name: String
    /// The file name that the browser sent, which must not be trusted.
    var fileName: String
    var bytes: ArraySlice<UInt8>
  }

  /// The largest number of fields in a form; the form with ten variants in 40 languages has fewer.
  static let maximumFieldCount = 3000
  /// The largest number of files in a form: those of ten pages, and of the fields beside them.
  static let maximumFileCount = 16
  /// The largest size of a field in bytes: as many user IDs of 50 characters as a target takes.
  static let maximumFieldLength = 512 << 10

  private(set) var fields: [(name: String, value: String)] = []
  private(set) var files: [File] = []

  init(_ fields: [(name: String, value: String)] = []) { self.fields = fields }

  /// Reads the body of a request, URL-encoded or as multipart.
  ///
  /// - Throws: ``RequestError`` `.malformed`, `.tooLarge` or `.unsupportedType` if the body is not a form or exceeds a limit.
  init(_ request: HTTPRequest) throws(RequestError) {
    switch request.mediaType {
    case URLEncoded.mediaType, nil:
      guard let text = String(validating: request.body, as: UTF8.self) else {
        throw Self.notUTF8("the form")
      }
      try self.init(urlEncoded: text)
    case "multipart/form-data":
      try self.init(multipart: request)
    default:
      throw RequestError(
        .unsupportedType,
        "the page accepts only form data (application/x-www-form-urlencoded or multipart/form-data)"
      )
    }
  }

  /// The first value of a field without surrounding white space; `nil` if that is empty.
  subscript(name: String) -> String? {
    guard let value = fields.first(where: { $0.name == name })?.value else { return nil }
    let trimmed = value.trimmingCharacters(in: .whitespacesAndNewlines)
    return trimmed.isEmpty ? nil : trimmed
  }

  /// All values of a field, in order and untrimmed.
  func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  mutating func set(_ name: String, _ value: String?) {
    fields.removeAll { $0.name == name }
    if let value { fields.append((name, value)) }
  }

  mutating func append(_ name: String, _ value: String) { fields.append((name, value)) }

  // MARK: application/x-www-form-urlencoded (URL Standard, 5.1)

  init(urlEncoded text: String) throws(RequestError) {
    for pair in text.utf8.split(separator: UInt8(ascii: "&"), maxSplits: Self.maximumFieldCount) {
      let sides = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = RequestTarget.decoded(Substring(sides[0])) else {
        throw Self.notUTF8("the name of a field")
      }
      guard let value = RequestTarget.decoded(sides.count > 1 ? Substring(sides[1]) : "") else {
        throw Self.notUTF8("the field \(name.prefix(64))")
      }
      try appendChecked(name, value)
    }
  }

  var urlEncoded: String { URLEncoded.encode(fields) }

  // MARK: multipart/form-data (RFC 7578)

  private init(multipart request: HTTPRequest) throws(RequestError) {
    let delimiter = Array("\r\n--\(try Self.boundary(of: request))".utf8)
    var rest = request.body[...]
    // The first delimiter has no line break before it.
    guard rest.starts(with: delimiter.dropFirst(2)) else { throw Self.incomplete }
    rest = rest.dropFirst(delimiter.count - 2)
    while rest.starts(with: [0x0d, 0x0a]) {
      rest = rest.dropFirst(2)
      guard let end = Self.firstRange(of: delimiter, in: rest) else { throw Self.incomplete }
      try appendPart(rest[..<end.lowerBound])
      rest = rest[end.upperBound...]
    }
    guard rest.starts(with: Array("--".utf8)) else { throw Self.incomplete }
  }

  /// The text between the parts of a multipart form.
  static func boundary(of request: HTTPRequest) throws(RequestError) -> Substring {
    guard let type = request.header("Content-Type"),
      let match = type.firstMatch(of: /boundary=(?:"([^"]{1,70})"|([^;\s"]{1,70}))/),
      let boundary = match.1 ?? match.2
    else {
      throw RequestError(
        .malformed, "the multipart form has no boundary parameter in its Content-Type")
    }
    return boundary
  }

  /// The first place of a delimiter, whose first byte is a CR, which files seldom contain.
  static func firstRange(
    of delimiter: [UInt8], in bytes: ArraySlice<UInt8>
  ) -> Range<Int>? {
    var rest = bytes
    while let start = rest.firstIndex(of: delimiter[0]) {
      rest = rest[start...]
      if rest.starts(with: delimiter) { return start..<(start + delimiter.count) }
      rest = rest.dropFirst()
    }
    return nil
  }

  static func notUTF8(_ what: String) -> RequestError {
    RequestError(
      .malformed, "\(what) is not UTF-8; submit the form from the page, which sends UTF-8")
  }

  static let incomplete = RequestError(
    .malformed, "the multipart form is incomplete; submit it again")

  private mutating func appendPart(_ part: ArraySlice<UInt8>) throws(RequestError) {
    guard let end = part.prefix(8192).firstRange(of: Array("\r\n\r\n".utf8)) else {
      throw Self.incomplete
    }
    let (name, fileName) = try Self.names(inHead: part[..<end.lowerBound])
    let content = part[end.upperBound...]
    guard let fileName else {
      guard let value = String(validating: content, as: UTF8.self) else {
        throw Self.notUTF8("the field \(name.prefix(64))")
      }
      return try appendChecked(name, value)
    }
    // The field of a file was left empty.
    guard !(fileName.isEmpty && content.isEmpty) else { return }
    guard files.count < Self.maximumFileCount else {
      throw RequestError(.malformed, "the form has more than \(Self.maximumFileCount) files")
    }
    files.append(File(name: name, fileName: fileName, bytes: content))
  }

  /// The name of the field that a part has, and the name of its file; `nil` if it has no file.
  static func names(
    inHead bytes: ArraySlice<UInt8>
  ) throws(RequestError) -> (field: String, file: String?) {
    guard let head = String(validating: bytes, as: UTF8.self) else {
      throw notUTF8("the name of a field or of a file")
    }
    let disposition = head.split(separator: "\r\n").first {
      $0.lowercased().hasPrefix("content-disposition:")
    }
    guard let disposition, let name = parameter("name", of: disposition) else { throw incomplete }
    return (name, parameter("filename", of: disposition))
  }

  /// A parameter of a `Content-Disposition` header, in which browsers encode `"` as `%22`.
  private static func parameter(_ name: String, of disposition: Substring) -> String? {
    let prefix = "; \(name)=\""
    guard let start = disposition.range(of: prefix)?.upperBound else { return nil }
    return disposition[start...].split(separator: "\"", omittingEmptySubsequences: false).first
      .map { String($0.replacing("%22", with: "\"")) }
  }

  private mutating func appendChecked(_ name: String, _ value: String) throws(RequestError) {
    guard fields.count < Self.maximumFieldCount else {
      throw RequestError(.malformed, "the form has more than \(Self.maximumFieldCount) fields")
    }
    guard value.utf8.count <= Self.maximumFieldLength else {
      throw RequestError(
        .tooLarge, "a field of the form is longer than \(Self.maximumFieldLength) bytes")
    }
    guard !CallerText.hasZero(name), !CallerText.hasZero(value) else {
      throw RequestError(.invalid, "the field \(name.prefix(64)) \(CallerText.zeroAdvice)")
    }
    // Browsers send line breaks as CR LF.
    fields.append((name, value.replacing("\r\n", with: "\n")))
  }
}
