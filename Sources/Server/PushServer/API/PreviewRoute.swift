import PushPayload
import _HTTPServer

/// `/notifications/preview`: the payload that a request would send, and the number of its devices.
///
/// It stores nothing and sends nothing.
enum PreviewRoute {
  static func answer(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let preview = try await router.actions.preview(
      try call.json().required("notification"), app: try call.app())
    let payload = String(decoding: preview.payload, as: UTF8.self)
    let members: [String: JSONValue] = [
      "device_count": .integer(Int64(preview.deviceCount)),
      "payload": (try? JSONValue(parsing: payload)) ?? .null,
      "bytes": .integer(Int64(preview.payload.count)),
      "findings": preview.findings,
    ]
    return .json(.object(members.merging(preview.limits.members) { $1 }))
  }
}
