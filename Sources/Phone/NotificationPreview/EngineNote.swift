import Foundation
package import PhoneCards
import PushPayload
import RichNotifications

/// One message from the engine of a simulated phone, which may run in another process.
package enum EngineNote: Codable, Sendable {
  case decided(at: Duration, stage: String, rule: String, message: String, detail: String?)
  case delivered(EngineOutcome)

  init(_ event: TraceEvent) {
    self = .decided(
      at: event.at, stage: event.stage.rawValue, rule: event.rule, message: event.message,
      detail: event.privateDetail)
  }
}

extension JSONValue {
  /// Encodes a value; `nil` if it has no JSON form.
  init?(encoding value: some Encodable) {
    guard let data = try? JSONEncoder().encode(value), let json = try? JSONValue(parsing: data)
    else { return nil }
    self = json
  }
}
