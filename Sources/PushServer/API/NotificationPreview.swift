import APNs
import PayloadLint
import PushPayload
import PushStore
import _HTTPServer

/// What would be sent, and to how many: nothing is stored and nothing goes out.
enum NotificationPreview {
  static func answer(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let (app, now) = (try call.app(), api.clock.now())
    let new = try NewNotification(try call.json().required("notification"), at: now)
    let audience = try await new.target.audience(app: app, at: now, api.store)
    let count = try await api.audiences.devices(of: audience, at: api.clock.now()).count
    let (composer, bytes) = try new.payload.composed(at: now)
    let headers = LintHeaders(
      pushType: composer.pushType.rawValue, priority: String(composer.priority))
    let report = LintReport(LintSubject(bytes, headers: headers))
    return .json([
      "device_count": .integer(Int64(count)),
      "payload": (try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self))) ?? .null,
      "bytes": .integer(Int64(bytes.count)),
      "findings": .array(report.entries.map(\.json)),
    ])
  }
}

extension LintReport.Entry {
  fileprivate var json: JSONValue {
    [
      "code": .string(rule.code), "severity": .string(rule.severity.rawValue),
      "path": .string(path), "message": .string(message), "advice": .string(rule.fix),
    ]
  }
}
