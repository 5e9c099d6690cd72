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
    /// The sums of the counts of all hours, by their names.
    var hours: [String: Int] = [:]

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
  var campaigns: [Int: Campaign] = [:]
  var phones: [Int: JSONValue] = [:]
  /// How often an action on an object is in the audit log.
  var audit: [ObjectAction: Int] = [:]
  /// The app's counters and sums; `nil` if they could not be read.
  var statistics: Statistics?

  /// Lines for the journal.
  var lines: [String] {
    let campaigns = campaigns.sorted { $0.key < $1.key }.flatMap { number, campaign in
      ["c\(number) \(campaign.state): \(campaign.runs.map(\.summary).joined(separator: "; "))"]
        + campaign.sends.map { $0.answer.line(of: $0.record.name) }
    }
    return sends.sorted { $0.key < $1.key }.map { $1.line(of: "s\($0)") } + campaigns
  }
}

extension FinalAnswers.Send {
  fileprivate func line(of name: String) -> String {
    let outcomes = outcomes.map { outcome in
      "\(outcome.device) \(outcome.result) \(outcome.status ?? 0) \(outcome.reason ?? "-")"
    }
    return "\(name) \(state?.rawValue ?? "not found"): " + outcomes.sorted().joined(separator: ", ")
  }
}

extension World {
  /// All sends that are found at the end.
  func sends(of answers: FinalAnswers) -> [(record: SendRecord, answer: FinalAnswers.Send)] {
    let own = records.allSends().compactMap { number, send in
      answers.sends[number].map { (record: send, answer: $0) }
    }
    let ofCampaigns = answers.campaigns.sorted { $0.key < $1.key }.flatMap { _, campaign in
      campaign.sends.map { (record: $0.record, answer: $0.answer) }
    }
    return (own + ofCampaigns).filter(\.answer.isFound)
  }
}
