import Foundation
import MediaLoading

extension ScriptedNetwork.Response: CustomStringConvertible {
  /// The response in words, such as `200 with 67 bytes`, for the names of a test's cases.
  public var description: String {
    if let failure { return "the failure \(failure.rawValue)" }
    var parts = ["\(status)\(body.map { " with \($0)" } ?? "")"]
    if let location = headers["Location"] { parts.append("redirected to \(location)") }
    if let announcedLength { parts.append("announced as \(announcedLength) bytes") }
    if !announcesLength { parts.append("of unannounced length") }
    if let stallsAfter { parts.append("stalled after \(stallsAfter) bytes") }
    if let breaksAfter { parts.append("broken off after \(breaksAfter) bytes") }
    return parts.joined(separator: ", ")
  }
}

extension ScriptedNetwork.Body: CustomStringConvertible {
  /// The body in words, such as `67 bytes` or `the file a.png`.
  public var description: String {
    switch self {
    case .bytes(let bytes): "\(bytes.count) bytes"
    case .file(let url): "the file \(url.lastPathComponent)"
    case .endless(let bytes): "\(bytes.count) bytes without end"
    }
  }
}
