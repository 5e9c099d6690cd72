import Foundation
import PushPayload

@testable import MartletCommands

extension ServerClient {
  /// Makes a request, and the same one again while the server answers 503: on a busy machine a store takes longer than
  /// a server waits for it, and after a failover it is away.
  func patientRequest(
    _ method: String, _ path: String, body: JSONValue? = nil
  ) async throws -> JSONValue {
    // Makes a repeated POST the same request; the other methods need no key.
    let headers = method == "POST" ? ["Idempotency-Key": UUID().uuidString] : [:]
    while true {
      do {
        return try await request(method, path, headers: headers, body: body?.serialized())
      } catch let failure as CommandFailure where failure.message.contains("answered 503") {
        await Task.yield()
      }
    }
  }
}
