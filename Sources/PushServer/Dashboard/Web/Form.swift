import Foundation
import _HTTPServer

/// What a browser's form brought: its fields in order, and the files among them.
struct Form: Sendable {
  struct File: Sendable {
    var name: String
    /// What the browser calls it; never trusted.
    var fileName: String
    var bytes: ArraySlice<UInt8>
  }

  /// More fields than any page of ours has.
  static let mostFields = 1000
  /// A field's bytes: as many user ids as a target takes, of 50 characters each.
  static let longestField = 512 << 10

  private(set) var fields: [(name: String, value: String)] = []
  private(set) var files: [File] = []

  init(_ fields: [(name: String, value: String)] = []) { self.fields = fields }

  /// - Throws: ``APIError`` 400 or 415 where the body is no form.
  init(_ request: HTTPRequest) throws(APIError) {
    switch request.mediaType {
    case "application/x-www-form-urlencoded", nil:
      try self.init(urlEncoded: String(decoding: request.body, as: UTF8.self))
    case "multipart/form-data":
      try self.init(multipart: request)
    default:
      throw APIError(415, "this page takes what its form sends")
    }
  }

  /// The first value of a name, white space around it trimmed; `nil` where it is empty.
  subscript(name: String) -> String? {
    guard let value = fields.first(where: { $0.name == name })?.value else { return nil }
    let trimmed = value.trimmingCharacters(in: .whitespacesAndNewlines)
    return trimmed.isEmpty ? nil : trimmed
  }

  /// Every value of a name, as they came.
  func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  mutating func set(_ name: String, _ value: String?) {
    fields.removeAll { $0.name == name }
    if let value { fields.append((name, value)) }
  }

  mutating func append(_ name: String, _ value: String) { fields.append((name, value)) }

  // MARK: application/x-www-form-urlencoded (URL Standard, 5.1)

  init(urlEncoded text: String) throws(APIError) {
    for pair in text.split(separator: "&", maxSplits: Self.mostFields) {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      try take(Self.decoded(sides[0]), sides.count > 1 ? Self.decoded(sides[1]) : "")
    }
  }

  var urlEncoded: String {
    fields.map { Self.encoded($0.name) + "=" + Self.encoded($0.value) }.joined(separator: "&")
  }

  private static func decoded(_ text: Substring) -> String {
    let spaced = text.replacing("+", with: " ")
    return spaced.removingPercentEncoding ?? String(spaced)
  }

  static func encoded(_ text: String) -> String {
    let plain = CharacterSet(
      charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
    return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }

  // MARK: multipart/form-data (RFC 7578)

  private init(multipart request: HTTPRequest) throws(APIError) {
    guard let type = request.header("Content-Type"),
      let match = type.firstMatch(of: /boundary=(?:"([^"]{1,70})"|([^;\s"]{1,70}))/),
      let boundary = match.1 ?? match.2
    else { throw APIError(400, "the form says no boundary between its parts") }
    let mark = Array("\r\n--\(boundary)".utf8)
    var rest = request.body[...]
    // The first boundary may stand at the very start.
    guard rest.starts(with: mark.dropFirst(2)) else { throw Self.broken }
    rest = rest.dropFirst(mark.count - 2)
    while rest.starts(with: [0x0d, 0x0a]) {
      rest = rest.dropFirst(2)
      guard let end = rest.firstRange(of: mark) else { throw Self.broken }
      try appendPart(rest[..<end.lowerBound])
      rest = rest[end.upperBound...]
    }
    guard rest.starts(with: Array("--".utf8)) else { throw Self.broken }
  }

  private static let broken = APIError(400, "the form did not arrive whole; send it again")

  private mutating func appendPart(_ part: ArraySlice<UInt8>) throws(APIError) {
    guard let end = part.prefix(8192).firstRange(of: Array("\r\n\r\n".utf8)) else {
      throw Self.broken
    }
    let head = String(decoding: part[..<end.lowerBound], as: UTF8.self)
    let disposition = head.split(separator: "\r\n").first {
      $0.lowercased().hasPrefix("content-disposition:")
    }
    guard let disposition, let name = Self.parameter("name", of: disposition) else {
      throw Self.broken
    }
    let content = part[end.upperBound...]
    guard let fileName = Self.parameter("filename", of: disposition) else {
      return try take(name, String(decoding: content, as: UTF8.self))
    }
    // A file field that nobody filled in.
    guard !(fileName.isEmpty && content.isEmpty) else { return }
    guard files.count < 8 else { throw APIError(400, "the form has too many files") }
    files.append(File(name: name, fileName: fileName, bytes: content))
  }

  /// Browsers write `"` in a name as `%22`.
  private static func parameter(_ name: String, of disposition: Substring) -> String? {
    let prefix = "; \(name)=\""
    guard let start = disposition.range(of: prefix)?.upperBound else { return nil }
    return disposition[start...].split(separator: "\"", omittingEmptySubsequences: false).first
      .map { String($0.replacing("%22", with: "\"")) }
  }

  private mutating func take(_ name: String, _ value: String) throws(APIError) {
    guard fields.count < Self.mostFields else {
      throw APIError(400, "the form has too many fields")
    }
    guard value.utf8.count <= Self.longestField else {
      throw APIError(413, "a field of the form is longer than \(Self.longestField) bytes")
    }
    // Forms write line ends as CR LF.
    fields.append((name, value.replacing("\r\n", with: "\n")))
  }
}
