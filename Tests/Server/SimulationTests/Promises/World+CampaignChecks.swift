import APNs
import PushModel

extension World {
  /// Checks who got which messages of the campaigns.
  func checkCampaigns(_ answers: FinalAnswers) {
    var (heldOut, reached): (Set<String>, [String: String]) = ([], [:])
    for (number, campaign) in records.startedCampaigns() {
      guard let answer = answers.campaigns[number], answer.state != "not found" else {
        findings.add(.answered, "\(campaign.name) was started and is not found")
        continue
      }
      if campaign.orders.canceled != nil, answer.state != "ended" {
        findings.add(.answered, "\(campaign.name) was ended, and is \(answer.state)")
      }
      if campaign.new.trigger == nil, answer.state != "ended" {
        findings.add(.end, "\(campaign.name) is \(answer.state) after a day")
      }
      checkVariants(of: campaign, answer)
      for run in answer.runs { checkGroups(of: run, campaign) }
      if let trigger = campaign.new.trigger {
        checkSteps(of: campaign, trigger, answer)
      } else {
        for run in answer.runs {
          checkSkip(of: run, campaign)
          checkDivision(of: run, campaign)
        }
      }
      guard campaign.new.obeysHoldout else { continue }
      for run in answer.runs { heldOut.formUnion((run.groups[.heldOut] ?? []).map(person)) }
      for send in answer.sends {
        for device in devices(of: send) { reached[person(device)] = send.record.name }
      }
    }
    for (person, send) in reached.sorted(by: { $0.key < $1.key }) where heldOut.contains(person) {
      findings.add(.control, "\(send) is for \(person), whom campaigns leave out")
    }
  }

  /// The person of a device.
  func person(_ device: String) -> String {
    Int(device.dropFirst()).map(plan.options.person) ?? device
  }

  /// The devices with an outcome of a notification, and those for which a push came to Apple.
  func devices(of send: FinalAnswers.RunSend) -> Set<String> {
    let pushed = apns.arrivals.filter { $0.push.collapseID == send.record.id }
      .compactMap { apns.token($0.push.deviceToken).map { "d\($0.device)" } }
    return Set(send.answer.outcomes.map(\.device) + pushed)
  }

  /// Checks that a person gets one variant, on all devices and in all messages.
  private func checkVariants(of campaign: CampaignRecord, _ answer: FinalAnswers.Campaign) {
    var variants: [String: String] = [:]
    for run in answer.runs {
      var sends: [String: String] = [:]
      for send in run.sends {
        for device in devices(of: send) {
          let person = person(device)
          if let other = variants[person], other != send.variant {
            findings.add(
              .variants,
              "\(campaign.name) \(run.number) sends \(person) \(other) and \(send.variant)")
          }
          variants[person] = send.variant
          if campaign.new.trigger == nil, let other = sends[device] {
            findings.add(.variants, "\(send.record.name) is for \(device), which gets \(other)")
          }
          sends[device] = send.record.name
        }
      }
    }
  }

  /// Checks that whoever a run leaves out gets nothing of it.
  private func checkGroups(of run: FinalAnswers.Run, _ campaign: CampaignRecord) {
    for send in run.sends {
      let devices = devices(of: send)
      for group in [CampaignRun.Group.control, .heldOut, .quiet, .capped] {
        for device in devices.intersection(run.groups[group] ?? []).sorted() {
          findings.add(.control, "\(send.record.name) is for \(device), which is \(group.rawValue)")
        }
      }
    }
  }

  /// Checks that a run which was skipped could reach nobody.
  private func checkSkip(of run: FinalAnswers.Run, _ campaign: CampaignRecord) {
    guard run.state == .skipped else { return }
    let send = SendRecord(
      campaign.name, id: "", of: campaign, variant: "", obeysQuiet: false, begun: campaign.begun,
      accepted: scheduler.now)
    for number in mustReach(send) {
      findings.add(.audience, "\(campaign.name) was skipped, and d\(number) could get it")
    }
  }

  /// Checks that each device that a run has selected is in one of its parts, and that these are all of the audience.
  private func checkDivision(of run: FinalAnswers.Run, _ campaign: CampaignRecord) {
    guard run.state == .settled else { return }
    let first = campaign.new.test == nil ? CampaignRun.Phase.rollout : .test
    let targeted = run.sends.filter { $0.phase == first }
      .reduce(0) { $0 + ($1.answer.counts["targeted"] ?? 0) }
    let counted = run.counts.values.reduce(targeted, +)
    if counted != run.selected {
      findings.add(
        .division,
        "\(campaign.name) has selected \(run.selected) devices, and counts \(counted): \(targeted)"
          + " with a variant, \(run.counts.map { "\($0.value) \($0.key.rawValue)" }.sorted())")
    }
    // Those of the rest who could not be reached any more at the decision are in no part.
    guard !run.isDecided, campaign.orders.canceled == nil, let send = run.sends.first?.record else {
      return
    }
    let known = run.groups.values.reduce(Set(run.sends.flatMap { devices(of: $0) })) {
      $0.union($1)
    }
    for number in mustReach(send) where !known.contains("d\(number)") {
      findings.add(.audience, "\(campaign.name) left out d\(number)")
    }
  }
}
