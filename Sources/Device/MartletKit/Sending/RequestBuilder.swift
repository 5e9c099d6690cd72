import Foundation
import PushPayload

/// Makes the requests of a device, in the form of the server's API.
struct RequestBuilder: Sendable {
  private let server: URL
  private let authorization: String

  init(_ settings: PushSettings) {
    server = settings.server
    // RFC 7617: the key is the password, without a user name.
    authorization = "Basic " + Data(":\(settings.key)".utf8).base64EncodedString()
  }

  /// Everything in one request: an update, if there is one, and facts.
  func sync(
    _ update: DeviceUpdate?, _ facts: OutgoingFacts, for record: DeviceRecord
  ) -> PushRequest {
    var body = update?.body.object ?? [:]
    for kind in [RetryTable.Kind.receipts, .events] where !facts[kind].isEmpty {
      body[kind.rawValue] = .array(facts[kind].map(\.outgoing))
    }
    body.merge(InboxMark.parts(facts[.marks].compactMap { InboxMark($0) })) { $1 }
    var request = make("POST", "v6/devices/\(record.id)/sync", for: record, body: .object(body))
    request.headers["Martlet-User-Token"] = update?.proof
    return request
  }

  /// Reads a page of the inbox.
  func inbox(_ record: DeviceRecord, after cursor: String?) -> PushRequest {
    var request = make("GET", "v6/devices/\(record.id)/messages", for: record, body: nil)
    if let cursor { request.url.append(queryItems: [URLQueryItem(name: "cursor", value: cursor)]) }
    return request
  }

  func update(_ update: DeviceUpdate, _ record: DeviceRecord) -> PushRequest {
    var request = make("PUT", "v6/devices/\(record.id)", for: record, body: update.body)
    request.headers["Martlet-User-Token"] = update.proof
    return request
  }

  func facts(_ facts: [StoredFact], of kind: RetryTable.Kind, for record: DeviceRecord)
    -> PushRequest
  {
    let path = kind == .receipts ? "v6/receipts" : "v6/devices/\(record.id)/events"
    return make("POST", path, for: record, body: [kind.rawValue: .array(facts.map(\.outgoing))])
  }

  /// The request that sets a token; `nil` removes that token and no other.
  func token(_ key: TokenKey, _ value: JSONValue?, for record: DeviceRecord) -> PushRequest {
    let method = value == nil ? "DELETE" : "PUT"
    switch key {
    case .start(let type):
      return make(
        method, "v6/devices/\(record.id)/activities/\(type)/start-token", for: record,
        body: value.map { ["token": $0] })
    case .update(let activity, let token):
      var body: [String: JSONValue] = ["token": .string(token)]
      body["type"] = value
      return make(
        method, "v6/activities/\(activity)/tokens/\(record.id)", for: record,
        body: .object(body))
    case .reload(let type):
      return make(
        "PUT", "v6/devices/\(record.id)/reload-tokens/\(type.rawValue)", for: record,
        body: ["tokens": value ?? []])
    }
  }

  /// The request by which the device follows a kept activity, or follows it no more.
  func follower(_ method: String, of activity: String, _ record: DeviceRecord) -> PushRequest {
    make(method, "v6/activities/\(activity)/followers/\(record.id)", for: record, body: nil)
  }

  func erase(_ record: DeviceRecord) -> PushRequest {
    make("POST", "v6/devices/\(record.id)/erase", for: record, body: nil)
  }

  /// The request that reads the server's stored values of the device.
  func read(_ record: DeviceRecord) -> PushRequest {
    make("GET", "v6/devices/\(record.id)", for: record, body: nil)
  }

  private func make(
    _ method: String, _ path: String, for record: DeviceRecord, body: JSONValue?
  ) -> PushRequest {
    var headers = [
      "Accept": "application/json", "Authorization": authorization,
      "Martlet-Device-Secret": record.secret,
    ]
    if body != nil { headers["Content-Type"] = "application/json" }
    return PushRequest(
      method: method, url: server.appending(path: path, directoryHint: .notDirectory),
      headers: headers, body: body?.serialized())
  }
}
