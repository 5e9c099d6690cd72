import Foundation

extension URLResponse {
  /// A name for the file of the body.
  ///
  /// It is the name of `Content-Disposition`, or else the last component of the URL's path, or else the URL's host, or
  /// else `unknown`. An extension for the MIME type is appended, unless the name has one of this type or the type is
  /// not known.
  ///
  /// Source: Apple, `URLResponse.suggestedFilename`. Apple says that the extension is appended "in most cases"; the
  /// cases are the model's choice.
  public var suggestedFilename: String? {
    let field = (self as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Disposition")
    let candidates = [field.flatMap(Self.name), url?.lastPathComponent, url?.host()]
    let name = candidates.lazy.compactMap { $0.flatMap(Self.fileName) }.first ?? "unknown"
    let known = mimeType.flatMap { Self.extensions[$0.lowercased()] } ?? []
    guard let first = known.first,
      !known.contains((name as NSString).pathExtension.lowercased())
    else { return name }
    return "\(name).\(first)"
  }

  /// The valid part of a name: no folders, and not empty.
  private static func fileName(_ text: String) -> String? {
    let name = text.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
    return ["", ".", ".."].contains(name) ? nil : name
  }

  /// The file name of `Content-Disposition` (RFC 6266): `filename*` before `filename`.
  private static func name(inDisposition field: String) -> String? {
    var parameters: [String: String] = [:]
    for part in parts(of: field).dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard pair.count == 2 else { continue }
      parameters[pair[0].lowercased()] = pair[1]
    }
    // RFC 8187: CHARSET'LANGUAGE'VALUE.
    let extended = parameters["filename*"]?.split(
      separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    if let extended, extended.count == 3, extended[0].uppercased() == "UTF-8",
      let name = String(extended[2]).removingPercentEncoding
    {
      return name
    }
    guard let name = parameters["filename"] else { return nil }
    guard name.count > 1, name.hasPrefix("\""), name.hasSuffix("\"") else { return name }
    return String(name.dropFirst().dropLast()).replacing("\\\"", with: "\"")
  }

  /// The parts between semicolons that are not in quotes.
  private static func parts(of field: String) -> [String] {
    var parts = [""]
    var isQuoted = false
    for character in field {
      if character == "\"" { isQuoted.toggle() }
      if character == ";", !isQuoted {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }

  /// The extensions of MIME types; the first one of a type is appended.
  private static let extensions: [String: [String]] = [
    "image/jpeg": ["jpeg", "jpg", "jpe"], "image/jpg": ["jpeg", "jpg", "jpe"],
    "image/png": ["png"], "image/gif": ["gif"], "image/webp": ["webp"], "image/heic": ["heic"],
    "image/svg+xml": ["svg"], "image/bmp": ["bmp"], "image/tiff": ["tiff", "tif"],
    "video/mp4": ["mp4", "m4v"], "video/mpeg": ["mpg", "mpeg"], "video/quicktime": ["mov", "qt"],
    "video/x-msvideo": ["avi"], "video/3gpp": ["3gp"],
    "audio/mpeg": ["mp3"], "audio/mp4": ["m4a", "mp4"], "audio/x-m4a": ["m4a"],
    "audio/wav": ["wav"], "audio/x-wav": ["wav"], "audio/vnd.wave": ["wav"],
    "audio/aiff": ["aiff", "aif"], "audio/x-aiff": ["aiff", "aif"], "audio/aac": ["aac"],
    "text/html": ["html", "htm"], "text/plain": ["txt", "text"], "text/css": ["css"],
    "text/csv": ["csv"], "application/json": ["json"], "application/pdf": ["pdf"],
    "application/zip": ["zip"], "application/xml": ["xml"], "text/xml": ["xml"],
  ]
}
