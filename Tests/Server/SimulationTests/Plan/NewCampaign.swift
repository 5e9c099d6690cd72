import PushModel
import PushPayload

extension SimulationEvent {
  /// A campaign that a person writes and starts.
  struct NewCampaign: Hashable, Sendable {
    var number: Int
    /// The group that gets it; `nil` sends to everyone.
    var group: Int?
    /// The second, from the beginning, at which it is due; `nil` sends it at once.
    var due: Int?
    /// The shares of the variants. The control has the rest of 100.
    var shares: [Int]
    var test: VariantTest?
    var trigger: Trigger?
    var obeysCaps: Bool
    var obeysHoldout: Bool
    var throttle: Int?

    var name: String { "c\(number)" }
    var keys: [String] { shares.indices.map { String("abc".dropFirst($0).prefix(1)) } }
    var control: Int { 100 - shares.reduce(0, +) }
  }

  struct VariantTest: Hashable, Sendable {
    /// The share of the people who get a variant before the decision.
    var sample: Int
    /// The minutes after which the clock would decide; `nil` if only a person does.
    var decideAfter: Int?
    /// The place of the variant that a person chooses; `nil` sends nothing more.
    var choice: Int?
  }

  struct Trigger: Hashable, Sendable {
    /// The minutes before each message.
    var waits: [Int]
    var hasExit: Bool
    /// The minutes after which a person may enter again; `nil` if never.
    var againAfter: Int?
    var checksAtSend: Bool
  }

  /// What is done to a campaign that was started.
  enum CampaignOrder: String, Hashable, Sendable { case pause, resume, end }

  /// What happens in the app on a phone.
  enum AppEvent: String, Hashable, Sendable {
    /// The event that enrolls people.
    case cart
    /// The event on which they leave.
    case bought
  }
}

extension SimulationEvent.NewCampaign {
  /// The document that is posted.
  ///
  /// - Parameter due: The time of ``due`` by the node's clock.
  func document(due: Timestamp?) -> JSONValue {
    var members: [String: JSONValue] = [
      "name": .string(name),
      "to": group.map { [["name": "tags", "criteria": [.string("g\($0)")]]] } ?? "*",
    ]
    var limits: [String: JSONValue] = [
      "caps": obeysCaps ? "obey" : "ignore", "holdout": obeysHoldout ? "obey" : "ignore",
    ]
    if let throttle { limits["per_second"] = .integer(Int64(throttle)) }
    members["limits"] = .object(limits)
    guard let trigger else {
      members["when"] = ["at": .string(due?.iso8601 ?? "now")]
      members["variants"] = variants
      if let test {
        var asked: [String: JSONValue] = [
          "sample": .integer(Int64(test.sample)), "metric": "opens",
        ]
        if let minutes = test.decideAfter { asked["decide_after"] = .string("PT\(minutes)M") }
        members["test"] = .object(asked)
      }
      return .object(members)
    }
    var when: [String: JSONValue] = [
      "trigger": ["event": .string(SimulationEvent.AppEvent.cart.rawValue)],
      "check_at_send": .bool(trigger.checksAtSend),
    ]
    if trigger.hasExit {
      when["exit_on"] = [["event": .string(SimulationEvent.AppEvent.bought.rawValue)]]
    }
    if let minutes = trigger.againAfter { when["again_after"] = .string("PT\(minutes)M") }
    members["when"] = .object(when)
    members["steps"] = .array(
      trigger.waits.map { minutes -> JSONValue in
        minutes == 0
          ? ["variants": variants]
          : ["after": .string("PT\(minutes)M"), "variants": variants]
      })
    return .object(members)
  }

  /// The text of a variant.
  func text(of key: String) -> String { "\(name) \(key)" }

  private var variants: JSONValue {
    var all = zip(keys, shares).map { key, share -> JSONValue in
      [
        "key": .string(key), "share": .integer(Int64(share)),
        "payload": ["alert": .string(text(of: key))],
      ]
    }
    if control > 0 { all.append(["key": "control", "share": .integer(Int64(control))]) }
    return .array(all)
  }
}
