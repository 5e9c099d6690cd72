import APNs
import PushModel
import PushPayload

extension World {
  /// The time that a node may take from the lease of a batch until its pushes begin.
  private static let preparation = Duration.seconds(1)

  /// Checks every push that came to Apple.
  ///
  /// `campaigns` are the notifications of campaigns.
  func checkPushes(and campaigns: [SendRecord]) {
    let all = records.allSends().map(\.send) + campaigns
    let sends = Dictionary(
      all.compactMap { send in send.id.map { ($0, send) } }, uniquingKeysWith: { $1 })
    var ids: [String: String] = [:]
    var pushed: [String: String] = [:]
    var foreign: Set<String> = []
    for arrival in apns.arrivals {
      let (push, token) = (arrival.push, apns.token(arrival.push.deviceToken))
      guard let send = push.collapseID.flatMap({ sends[$0] }), let token else {
        if !plan.hasClocks { findings.add(.sameID, "a push has the collapse id of no send") }
        continue
      }
      let name = "\(send.name) to d\(token.device)"
      if let known = ids[name], known != push.id {
        findings.add(.sameID, "\(name) has a second apns-id")
      }
      if let other = pushed[push.id], other != name {
        findings.add(.sameID, "\(name) has the apns-id of \(other)")
      }
      (ids[name], pushed[push.id]) = (push.id, name)
      // The second round of a batch, to Apple's other host, begins when the first one was answered.
      let isSecondRound = foreign.contains("\(name) \(arrival.node)")
      if arrival.reason == "BadDeviceToken" { foreign.insert("\(name) \(arrival.node)") }
      check(
        arrival, name, of: send, to: token.device,
        within: isSecondRound ? Self.preparation + longestRound : Self.preparation)
    }
  }

  /// The longest time from a push to its answer.
  private var longestRound: Duration { .milliseconds(2 * plan.options.longestLatency) }

  private func check(
    _ arrival: SimulatedAPNs.Arrival, _ name: String, of send: SendRecord, to device: Int,
    within preparation: Duration
  ) {
    let begun = arrival.givenAt + (.zero - preparation)
    if let canceled = send.orders.canceled, begun > canceled {
      findings.add(.canceled, "\(name) begins after the cancel")
    }
    if send.orders.wasPaused(at: begun), send.orders.wasPaused(at: arrival.givenAt) {
      findings.add(.paused, "\(name) begins during a pause")
    }
    if let due = send.dueAt, !plan.hasClocks || plan.options.nodes > 1, arrival.givenAt < due {
      findings.add(.schedule, "\(name) begins before it is due")
    }
    let alert = (try? JSONValue(parsing: arrival.push.payload))?["aps"]?["alert"]
    if (alert?.string ?? alert?["body"]?.string) != send.text {
      findings.add(.content, "\(name) has another text: \(String(describing: alert))")
    }
    let phone = records.phone(device)
    if let accepted = send.accepted,
      !phone.possible(from: send.begun, to: accepted).contains(where: send.reaches)
    {
      findings.add(.audience, "\(name), which was not in the audience")
    }
    let tokens = phone.possible(from: begun, to: arrival.givenAt).compactMap(\.self)
    if !tokens.contains(where: { $0.token == arrival.push.deviceToken && $0.isEnabled }) {
      findings.add(.audience, "\(name) by a token that was replaced, or after it has opted out")
    }
    checkQuiet(arrival, name, of: send, phone)
  }

  private func checkQuiet(
    _ arrival: SimulatedAPNs.Arrival, _ name: String, of send: SendRecord, _ phone: PhoneRecord
  ) {
    guard send.obeysQuiet, let quiet = plan.options.quietMinutes,
      let accepted = send.accepted
    else { return }
    let planned = send.plannedAt.map { ($0, $0 + Self.longestStep) } ?? (send.begun, accepted)
    let zones = Set(phone.possible(from: planned.0, to: planned.1).compactMap { $0?.zone })
    guard zones.count == 1, let zone = zones.first else { return }
    let minute = Duration.seconds(60 * SimulationPlan.zones[zone].minutes)
    let isQuiet = [.zero - Self.preparation, .zero].allSatisfy { offset in
      let local = (arrival.givenAt + minute + offset).milliseconds / 60_000 % 1440
      return Int64(quiet.from)..<Int64(quiet.to) ~= local
    }
    if isQuiet { findings.add(.quiet, "\(name) begins in quiet hours") }
  }
}
