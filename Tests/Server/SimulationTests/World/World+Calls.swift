import Foundation
import PushModel
import PushPayload
import _HTTPServer

@testable import PushServer

extension World {
  /// The server's answer to a request.
  struct Answer: Sendable {
    var status: Int
    var json: JSONValue
  }

  /// Makes a request of the node, through its routes.
  ///
  /// - Returns: The answer; `nil` if the caller got none, because no node runs, it died, or the answer was lost.
  func call(
    _ method: String, _ path: String, _ body: JSONValue? = nil,
    query: [(name: String, value: String)] = [], role: APIKey.Role = .push,
    idempotencyKey: String? = nil
  ) async -> Answer? {
    guard let node else { return nil }
    let key = Data(":\(key(role))".utf8).base64EncodedString()
    var headers = [(name: "Authorization", value: "Basic \(key)")]
    if body != nil { headers.append((name: "Content-Type", value: "application/json")) }
    if let idempotencyKey {
      headers.append((name: "Idempotency-Key", value: idempotencyKey))
    }
    let response = await node.router.respond(
      to: HTTPRequest(
        method: method, path: path, query: query, headers: headers, body: body?.bytes ?? []))
    guard !node.life.isOver, isHealed || !callerChance.isTrue(plan.options.lostAnswers) else {
      return nil
    }
    let json = (response.body.bytes).flatMap { try? JSONValue(parsing: Data($0)) }
    return Answer(status: response.status, json: json ?? .null)
  }

  /// Makes a request again and again until it is answered with something else than an error of the server.
  func insist(
    _ method: String, _ path: String, _ body: JSONValue? = nil,
    query: [(name: String, value: String)] = [], role: APIKey.Role = .push,
    idempotencyKey: String? = nil
  ) async -> Answer {
    while true {
      let answer = await call(
        method, path, body, query: query, role: role, idempotencyKey: idempotencyKey)
      if let answer, answer.status < 500 { return answer }
      if let answer { note("\(method) \(path): \(answer.status)") }
      try? await scheduler.sleep(.seconds(1))
    }
  }
}
