import Foundation
import MediaLoading
import PushModel
import PushPayload

/// A webhook as a caller describes it, checked and not yet stored.
struct NewWebhook: Sendable {
  var url: String
  var events: [String]

  /// Reads the body of a new webhook, which may call the private addresses of `targets`.
  init(_ field: BodyValue, allowing targets: WebhookTargets) throws(RequestError) {
    url = try Self.url(try field.required("url"), allowing: targets)
    events = try Self.events(try field.required("events"))
  }

  /// Checks a URL.
  ///
  /// A host name is resolved, and its addresses checked, at each call.
  private static func url(
    _ field: BodyValue, allowing targets: WebhookTargets
  ) throws(RequestError) -> String {
    let text = try field.string()
    // Foundation would escape a space or the end of a line, and the request ends there.
    let isPlain = text.unicodeScalars.allSatisfy {
      !$0.properties.isWhitespace && $0.properties.generalCategory != .control
    }
    guard isPlain else {
      throw .refused(field.path, "must not have spaces, line ends and control characters")
    }
    guard text.utf8.count <= 2048, let url = URL(string: text),
      ["http", "https"].contains(url.scheme), let host = url.host, !host.isEmpty, url.user == nil
    else { throw .refused(field.path, "must be an http or https URL without a user name") }
    guard url.port.map((1...65535).contains) ?? true else {
      throw .refused(field.path, "must have a port from 1 to 65535, or none")
    }
    guard !PrivateAddress.isHost(of: url) || targets.admits(host: host) else {
      throw .refused(
        field.path,
        "must not be a private address; give a public one, or start the server with --allow-webhook"
      )
    }
    return text
  }

  private static func events(_ field: BodyValue) throws(RequestError) -> [String] {
    var events: [String] = []
    for element in try field.elements(upTo: WebhookEvent.all.count) {
      let event = try element.string()
      guard WebhookEvent.all.contains(event) else {
        throw .refused(
          element.path, "must be one of \(WebhookEvent.all.joined(separator: ", "))")
      }
      if !events.contains(event) { events.append(event) }
    }
    guard !events.isEmpty else { throw .refused(field.path, "must name at least one event") }
    return events
  }
}

extension Webhook {
  /// The largest number of webhooks of an app.
  static let limit = 20
}
