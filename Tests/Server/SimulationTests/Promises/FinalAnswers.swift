import PushModel
import PushPayload

/// What the server says at the end of a world: its sends with the outcome of each device, and its devices.
struct FinalAnswers: Sendable {
  struct Outcome: Hashable, Sendable {
    var device: String
    var result: String
    var status: Int?
    var reason: String?

    init(_ json: JSONValue) {
      device = json["device_id"]?.string ?? ""
      result = json["result"]?.string ?? ""
      status = json["status"]?.integer.map { Int($0) }
      reason = json["reason"]?.string
    }
  }

  struct Send: Sendable {
    var id: String
    var isFound: Bool
    var state: SendLifecycle.State?
    /// The counts by their names, such as `targeted`.
    var counts: [String: Int] = [:]
    var outcomes: [Outcome] = []

    init(_ answer: World.Answer) {
      id = answer.json["id"]?.string ?? ""
      isFound = answer.status == 200
      state = SendLifecycle.State(rawValue: answer.json["state"]?.string ?? "")
      for (name, count) in answer.json["counts"]?.object ?? [:] {
        counts[name] = count.integer.map { Int($0) }
      }
    }
  }

  var sends: [Int: Send] = [:]
  var phones: [Int: JSONValue] = [:]

  /// Lines for the journal.
  var lines: [String] {
    sends.sorted { $0.key < $1.key }.map { number, send in
      let outcomes = send.outcomes.map { outcome in
        "\(outcome.device) \(outcome.result) \(outcome.status ?? 0) \(outcome.reason ?? "-")"
      }
      return "s\(number) \(send.state?.rawValue ?? "not found"): "
        + outcomes.sorted().joined(separator: ", ")
    }
  }
}
