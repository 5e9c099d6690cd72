import Foundation
import NotificationHost
import Testing

/// What the server answers for the payload's picture and message.
enum Network: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case ok
  /// Status 404 with a page in HTML.
  case notFound
  /// Status 200 with a page in HTML, for a URL that ends in `.png`.
  case html
  /// The first bytes, and then nothing until the extension's time is over.
  case slow
  case redirect
  case offline
  /// A connection that is lost in the middle of the body.
  case broken
  /// A picture of 11 MB, which is over the limit of attachments.
  case large

  static let page = "<!DOCTYPE html><title>Not found</title>"
  static let message =
    #"{"text": "From the server", "picture": "https://cdn.example/picture.png"}"#

  var testDescription: String { rawValue }

  /// The responses by URL.
  ///
  /// The second picture is on a server that always answers, unless the phone is offline.
  var responses: [String: ScriptedNetwork.Response] {
    guard self != .offline else { return [:] }
    let picture = Self.response(.onePixelPNG, type: "image/png")
    let message = Self.response(.bytes(Array(Self.message.utf8)), type: "application/json")
    return [
      "https://cdn.example/picture.png": self == .large ? Self.largePicture : changed(picture),
      "https://api.example/message.json": self == .large ? message : changed(message),
      "https://second.example/second.png": picture,
      "https://moved.example/image.png": picture,
      "https://moved.example/application.json": message,
    ]
  }

  private func changed(_ response: ScriptedNetwork.Response) -> ScriptedNetwork.Response {
    var changed = response
    switch self {
    case .ok, .offline, .large: break
    case .notFound, .html:
      changed = Self.response(.bytes(Array(Self.page.utf8)), type: "text/html; charset=utf-8")
      changed.status = self == .html ? 200 : 404
    case .slow: changed.stallsAfter = 20
    case .redirect:
      let name = response.mimeType == "image/png" ? "image.png" : "application.json"
      changed = ScriptedNetwork.Response()
      changed.redirectsTo = URL(string: "https://moved.example/\(name)")
    case .broken: changed.breaksAfter = 40
    }
    return changed
  }

  private static func response(
    _ body: ScriptedNetwork.Body, type: String
  ) -> ScriptedNetwork.Response {
    var response = ScriptedNetwork.Response(body: body)
    response.mimeType = type
    return response
  }

  /// A picture with the structure of a PNG, except that its size is over the limit.
  private static let largePicture = response(
    .bytes(png + [UInt8](repeating: 0, count: 11_000_000 - png.count)), type: "image/png")

  /// The bytes of a picture.
  static var png: [UInt8] {
    guard case .bytes(let bytes) = ScriptedNetwork.Body.onePixelPNG else { return [] }
    return bytes
  }
}
