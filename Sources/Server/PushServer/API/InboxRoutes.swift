import PushModel
import PushPayload
import _HTTPServer

/// `/devices/:device_id/messages`: the inbox of a device, and the marks of its messages.
enum InboxRoutes {
  /// The largest number of messages in a page.
  static let pageSize = 50

  static let all: [Route] = [
    Route(
      "GET", "/v6/devices/:device_id/messages", access: .ownDevice(or: [.push]),
      operation: .readInbox, handler: list),
    Route(
      "POST", "/v6/devices/:device_id/messages/read", access: .ownDevice(or: [.push]),
      body: "application/json", operation: .markRead, handler: read),
    Route(
      "DELETE", "/v6/devices/:device_id/messages/:message_id", access: .ownDevice(or: [.push]),
      operation: .hideMessage, handler: hide),
  ]

  private static func list(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let (app, device) = (try call.app(), call.parameter("device_id"))
    try await router.actions.requireDevice(device, app: app)
    // The list's name leaves out the device's id, which may be too long for a cursor.
    let (list, now) = ("inbox", router.clock.now())
    let page = try await router.store.inbox(
      device: device, app: app, at: now, after: call.cursor(of: list, at: now)?.position,
      limit: pageSize)
    return .json(
      [
        "messages": .array(page.elements.map(\.json)), "unread": .integer(Int64(page.total)),
        "meta": ["cursor": Cursor.next(page.cursor, of: list, at: now)],
        "server_time": .string(now.iso8601),
      ], unread: page.total)
  }

  private static func read(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let marks = try InboxMarks(read: try call.json())
    return .unread(try await mark(marks, for: call, router).unread)
  }

  private static func hide(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let marked = try await mark(
      InboxMarks(hidden: [call.parameter("message_id")]), for: call, router)
    guard marked.missing.isEmpty else { throw RequestError.notFound("message with this id") }
    return .unread(marked.unread)
  }

  private static func mark(
    _ marks: InboxMarks, for call: KeyedRequest, _ router: Router
  ) async throws -> MarkedInbox {
    try await router.actions.markInbox(
      marks, ofDevice: call.parameter("device_id"), claim: call.claim, by: call.actor)
  }
}

extension Router {
  /// Adds the number of unread messages to an answer to one device that has shown its secret.
  ///
  /// The request has been handled, so a count that cannot be read does not refuse its answer.
  func addUnreadCount(to answer: HTTPResponse, _ call: KeyedRequest) async -> HTTPResponse {
    guard (200..<300).contains(answer.status) || answer.status == 304,
      let hash = call.claim?.secretHash, let ids = call.claim?.ids, ids.count == 1,
      let id = ids.first, let app = call.key.app,
      !answer.headers.contains(where: { $0.name == HTTPResponse.unreadHeader }),
      let count = try? await store.unreadCount(
        device: id, app: app, provenBy: hash, at: clock.now())
    else { return answer }
    var answer = answer
    answer.headers.append((name: HTTPResponse.unreadHeader, value: String(count)))
    return answer
  }
}

extension HTTPResponse {
  /// An answer with the number of unread messages, which its header has too.
  static func json(_ value: JSONValue, unread: Int) -> HTTPResponse {
    json(value, headers: [(HTTPResponse.unreadHeader, String(unread))])
  }

  fileprivate static func unread(_ count: Int) -> HTTPResponse {
    json(["unread": .integer(Int64(count))], unread: count)
  }
}

extension InboxMessage {
  fileprivate var json: JSONValue {
    var members = message.shown
    members["published_at"] = .string(message.publishAt.iso8601)
    members["unpublish_at"] = .string(message.unpublishAt.iso8601)
    members["is_read"] = .bool(isRead)
    return .object(members)
  }
}
