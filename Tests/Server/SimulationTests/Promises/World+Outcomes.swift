import APNs
import PushModel
import PushPayload

extension World {
  /// Checks what the server says at the end.
  func check(_ answers: FinalAnswers) {
    for (number, send) in records.allSends() where send.accepted != nil {
      guard let answer = answers.sends[number], answer.isFound else {
        findings.add(.answered, "\(send.name) was accepted and is not found")
        continue
      }
      if send.orders.canceled != nil, answer.state != .canceled {
        findings.add(.answered, "\(send.name) was canceled, and is \(answer.stateText)")
      }
      if answer.state?.isOver != true {
        findings.add(.end, "\(send.name) is \(answer.stateText) after a day")
      }
      checkOutcomes(of: send, answer)
      if answer.state == .complete { checkDevices(of: send, answer) }
    }
    for campaign in answers.campaigns.values {
      for send in campaign.sends {
        if send.answer.state?.isOver != true {
          findings.add(.end, "\(send.record.name) is \(send.answer.stateText) after a day")
        }
        checkOutcomes(of: send.record, send.answer)
        checkReached(by: send.record, send.answer)
      }
    }
    checkCampaigns(answers)
    checkCaps(answers)
    checkPhones(answers)
    checkAudit(answers)
    checkStatistics(answers)
    checkReceipts(answers)
    checkWebhooks(answers)
  }

  private func checkOutcomes(of send: SendRecord, _ answer: FinalAnswers.Send) {
    let tally = Dictionary(answer.outcomes.map { ($0.result, 1) }, uniquingKeysWith: +)
    for result in ["sent", "rejected", "uninstalled"]
    where answer.counts[result] != tally[result] ?? 0 {
      findings.add(
        .outcome,
        "\(send.name) counts \(answer.counts[result] ?? 0) \(result), and has"
          + " \(tally[result] ?? 0) such outcomes")
    }
    if Set(answer.outcomes.map(\.device)).count != answer.outcomes.count {
      findings.add(.outcome, "\(send.name) has two outcomes for a device")
    }
    if answer.state == .complete, answer.outcomes.count != answer.counts["targeted"] {
      findings.add(
        .outcome,
        "\(send.name) has \(answer.outcomes.count) outcomes, and"
          + " \(answer.counts["targeted"] ?? 0) devices")
    }
    let arrivals = apns.arrivals.filter { $0.push.collapseID == send.id }
    for outcome in answer.outcomes where outcome.status != nil {
      if (outcome.result == "sent") != (outcome.status == 200) {
        findings.add(
          .outcome,
          "\(send.name) to \(outcome.device) is \(outcome.result) with \(outcome.status ?? 0)")
      }
      let isSo = arrivals.contains { arrival in
        "d\(apns.token(arrival.push.deviceToken)?.device ?? -1)" == outcome.device
          && arrival.status == outcome.status && arrival.reason == outcome.reason
      }
      if !isSo {
        findings.add(
          .outcome,
          "\(send.name) to \(outcome.device) is \(outcome.result) with"
            + " \(outcome.status ?? 0), which Apple did not answer")
      }
    }
  }

  /// Checks that the devices with outcomes are those of the audience.
  private func checkDevices(of send: SendRecord, _ answer: FinalAnswers.Send) {
    checkReached(by: send, answer)
    let reached = Set(answer.outcomes.map(\.device))
    for number in mustReach(send) where !reached.contains("d\(number)") {
      findings.add(.audience, "\(send.name) left out d\(number)")
    }
  }

  /// Whether no order and no limit holds a send back.
  private func mustDeliver(_ send: SendRecord) -> Bool {
    send.orders.canceled == nil && (plan.options.cap == nil || !send.obeysCaps)
      && (plan.options.quiet == nil || !send.obeysQuiet)
  }

  /// Whether a push reaches a phone in a state, sooner or later.
  ///
  /// Of a token of the other environment whose host cannot be reached just then, a push is refused.
  func isReachable(_ state: PhoneRecord.State?) -> Bool {
    guard let state, state.isEnabled, !state.isDevelopment else { return false }
    return apns.token(state.token)?.goneAt == nil
  }

  /// The phones that were in the audience of a send, and had the app, at each moment in which it may have selected.
  func mustReach(_ send: SendRecord) -> [Int] {
    guard let accepted = send.accepted else { return [] }
    return records.allPhones().enumerated().filter { _, phone in
      phone.possible(from: send.begun, to: accepted).allSatisfy { state in
        guard let state, send.reaches(state) else { return false }
        return apns.token(state.token)?.goneAt.map { $0 > accepted } ?? true
      }
    }.map(\.offset)
  }

  /// Checks that each device with an outcome was in the audience, and that what it says of the token is so.
  private func checkReached(by send: SendRecord, _ answer: FinalAnswers.Send) {
    guard let accepted = send.accepted else { return }
    let outcomes = Dictionary(
      answer.outcomes.map { ($0.device, $0) }, uniquingKeysWith: { $1 })
    for (number, phone) in records.allPhones().enumerated() {
      guard let outcome = outcomes["d\(number)"] else { continue }
      if !phone.possible(from: send.begun, to: accepted).contains(where: send.reaches) {
        findings.add(.audience, "\(send.name) has an outcome for d\(number), outside the audience")
      }
      let later = phone.possible(from: send.begun, to: scheduler.now)
      if outcome.result != "sent", mustDeliver(send), later.allSatisfy(isReachable) {
        findings.add(
          .outcome,
          "\(send.name) is not sent to d\(number), which could be reached: \(outcome.reason ?? "")")
      }
      // A phone that nothing has changed since must not be called unreachable.
      if outcome.reason == "NoToken", later.count == 1, let state = later[0], state.isEnabled,
        apns.token(state.token)?.goneAt == nil
      {
        findings.add(.outcome, "\(send.name) found no token of d\(number), which has one")
      }
    }
  }

  private func checkCaps(_ answers: FinalAnswers) {
    guard let cap = plan.options.cap else { return }
    var pushes: [String: Int] = [:]
    let own = records.allSends().map { ($0.send, answers.sends[$0.number]) }
    let others = answers.campaigns.values.flatMap(\.sends).map { ($0.record, Optional($0.answer)) }
    for (send, answer) in own + others where send.obeysCaps {
      var devices = (answer?.outcomes ?? []).filter { $0.result == "sent" }.map(\.device)
      // What came to Apple counts, too, also where the answer was lost.
      devices += apns.arrivals.filter { $0.push.collapseID == send.id && $0.status == 200 }
        .compactMap { apns.token($0.push.deviceToken).map { "d\($0.device)" } }
      for device in Set(devices) { pushes[device, default: 0] += 1 }
    }
    for (device, count) in pushes.sorted(by: { $0.key < $1.key }) where count > cap {
      findings.add(.caps, "\(device) got \(count) pushes in a day, where \(cap) are allowed")
    }
  }

  private func checkPhones(_ answers: FinalAnswers) {
    for (number, phone) in records.allPhones().enumerated() {
      guard let last = phone.told.last, last.answered != nil else { continue }
      let state = last.state
      guard let device = answers.phones[number] else {
        findings.add(.answered, "d\(number) is not found")
        continue
      }
      let hasApp = apns.token(state.token)?.goneAt == nil
      if hasApp, device["uninstalled_at"]?.string != nil {
        findings.add(.outcome, "d\(number) counts as uninstalled, and has the app")
      }
      let isSame =
        device["push_token"]?.string == state.token
        && (!hasApp || device["push_enabled"]?.bool == state.isEnabled)
        && device["tags"]?.array?.first?.string == "g\(state.group)"
      if !isSame { findings.add(.answered, "d\(number) is not what it has told") }
    }
  }
}

extension FinalAnswers.Send {
  fileprivate var stateText: String { state?.rawValue ?? "not found" }
}
