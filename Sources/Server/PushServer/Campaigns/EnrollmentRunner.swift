import PushModel
import PushPayload
import _Bitmaps

/// Takes the due steps of triggered campaigns.
///
/// All people whose step is due within the same seconds share one notification or in-app message. It is stored in
/// one transaction with those of their enrollments that have not changed since they were read. So a node that dies
/// has sent the message and moved the person on, or neither. If two nodes take the same step, one of them does
/// nothing.
struct EnrollmentRunner: Sendable {
  let planner: SendPlanner
  /// Wakes the delivery workers, after a step has accepted notifications.
  let wakeDelivery: @Sendable () -> Void

  /// The largest number of people in one notification.
  static let groupLimit = 10_000
  /// The time for which one node works on a trigger before another one may take it over.
  static let lease = Duration.seconds(30)
  /// The time between two checks of an audience that people enter or leave.
  static let lookPause = Duration.seconds(60)

  private var store: any PushStore { planner.store }
  private var clock: ServerClock { planner.clock }

  /// Takes the steps that are due in some triggered campaigns.
  func runDue(of triggers: [LiveTrigger], log: @Sendable (String) -> Void) async throws {
    for trigger in triggers {
      if Task.isCancelled { return }
      do {
        if trigger.isEnding {
          try await end(trigger)
          continue
        }
        do {
          if let time = trigger.lookAt, time <= clock.now() { try await look(trigger) }
        } catch let error where (error as? StoreError)?.code != .damaged {
          // People who wait already do not wait for it.
          log("people are enrolled in the campaign \(trigger.campaign) later: \(error)")
        }
        try await sendDue(of: trigger)
      } catch let error as StoreError where error.code == .damaged {
        log("the campaign \(trigger.campaign) is stopped: \(error.message)")
        try await store.stop(trigger.work, because: error.message, at: clock.now())
      } catch {
        log("a step of the campaign \(trigger.campaign) failed and is tried again: \(error)")
      }
    }
  }

  private func end(_ trigger: LiveTrigger) async throws {
    while try await store.endEnrollments(
      of: trigger, at: clock.now(), limit: Self.groupLimit)
    {
      if Task.isCancelled { return }
    }
  }

  /// Enrolls the people whose devices have entered or left an audience since the last check.
  ///
  /// They are enrolled in groups. Each group is stored together with the devices that are known then.
  private func look(_ trigger: LiveTrigger) async throws {
    let now = clock.now()
    let id: String
    var enters = true
    switch trigger.trigger.entry {
    case .enters(let audience): id = audience
    case .leaves(let audience): (id, enters) = (audience, false)
    case .event, .call: return
    }
    // The deletion of an audience is not meant to send messages, so nobody leaves a deleted one.
    guard let audience = try await store.audience(id, app: trigger.app) else { return }
    var seen = try await store.seen(by: trigger).bitmap
    // Where nothing can be said about the audience, nobody has moved.
    let members = try await members(of: audience, at: now)?.bitmap ?? seen
    var trigger = trigger
    while true {
      let entered = DeviceNumbers(members.subtracting(seen))
      let left = DeviceNumbers(seen.subtracting(members))
      let moved = enters ? entered : left
      let group = moved.slice(from: 0, limit: Self.groupLimit)
      let isLast = group.count == moved.count
      // Devices that moved the other way enroll nobody, so all of them are recorded now.
      if enters {
        seen.formIntersection(members)
        seen.formUnion(group.bitmap)
      } else {
        seen.formUnion(members)
        seen.subtract(group.bitmap)
      }
      let look = AudienceLook(
        trigger, enrolls: group, seen: DeviceNumbers(seen),
        nextLook: isLast ? now + Self.lookPause : now)
      guard try await store.store(look, at: now) else { return }
      trigger.looks += 1
      if isLast || Task.isCancelled { return }
    }
  }

  private func sendDue(of trigger: LiveTrigger) async throws {
    let now = clock.now()
    guard
      let first = try await store.leaseEnrollments(
        of: trigger, at: now, until: now + Self.lease, limit: Self.groupLimit)
    else { return }
    do {
      // People beyond the limit are due at the next pass, a second later.
      let steps = Dictionary(grouping: first, by: \.step)
      for (_, group) in steps.sorted(by: { $0.key < $1.key }) {
        try await advance(group, of: trigger)
      }
    } catch {
      try? await store.releaseEnrollments(of: trigger)
      throw error
    }
    try await store.releaseEnrollments(of: trigger)
  }

  /// Moves people who are at the same step to the next one.
  private func advance(_ group: [Enrollment], of trigger: LiveTrigger) async throws {
    let now = clock.now()
    guard let step = group.first?.step,
      let campaign = try await store.campaign(trigger.campaign, app: trigger.app)
    else { return }
    let plan = try CampaignPlan(stored: campaign.document, at: now)
    let (audience, isDeleted) = try await audience(of: campaign, plan, at: now)
    let limits = try await store.limits(app: trigger.app)
    var choice = StepChoice(
      trigger: trigger, plan: plan, step: step, now: now,
      holdout: plan.obeysHoldout ? limits.holdout : nil)
    choice.devices = try await store.devices(of: group.map(\.person), app: trigger.app)
    let checksAudience = step == 0 || plan.rule?.checksAtSend == true
    let everyone = Audience(id: "", app: trigger.app, filters: [], createdAt: now)
    choice.reachable = try await planner.devices(of: everyone, for: plan, at: now)
    choice.members =
      checksAudience && isDeleted
      ? DeviceNumbers()
      : try await members(of: checksAudience ? audience : everyone, at: now) ?? DeviceNumbers()
    let moves = group.map { choice.move($0) }
    var change = EnrollmentChange(trigger, moves: moves, audience: audience)
    if step > 0 {
      let runs = try await store.runs(
        ofCampaign: campaign.id, app: campaign.app, limit: CampaignPlan.stepLimit)
      guard let run = runs.first(where: { $0.number == step }) else { return }
      let total = max(1, moves.reduce(0) { $0 + $1.devices.count })
      for (place, variant) in plan.steps[step - 1].variants.enumerated() {
        switch variant.content {
        case .message(let content):
          change.deliveries.append(
            .message(
              content.message(
                as: run.origin(of: variant.key, .rollout), in: run.app, for: audience, at: now)))
        case .push(let payload, _):
          let devices = DeviceNumbers(moves.filter { $0.delivery == place }.flatMap(\.devices))
          var send = plan.send(
            payload, as: variant, of: run, in: campaign, phase: .rollout, to: audience,
            share: Double(devices.count) / Double(total), at: now)
          try await planner.applyAppDefaults(to: &send)
          let segments = try await planner.segments(
            of: send, to: devices,
            quiet: plan.limits.quietHours(for: payload, of: limits))
          let isPersonal = (try? payload.composed(at: now).composer.shared) == nil
          change.deliveries.append(.push(send, segments: segments, isPersonal: isPersonal))
        }
      }
    }
    if let moved = try await store.advance(change, at: now), moved > 0, !plan.isInApp {
      wakeDelivery()
    }
  }

  /// The audience of all notifications of a campaign, and whether an audience that its target names was deleted.
  private func audience(
    of campaign: Campaign, _ plan: CampaignPlan, at now: Timestamp
  ) async throws -> (audience: Audience, isDeleted: Bool) {
    do {
      var audience = try await plan.target.audience(app: campaign.app, at: now, store)
      switch plan.target {
      case .filters, .choice: audience.id = campaign.id
      case .everyone, .audience: break
      }
      return (audience, false)
    } catch let error as RequestError where error.code == .notFound {
      // An audience without devices, so that a target that names it selects nobody.
      var nobody = Audience(id: campaign.id, app: campaign.app, filters: [], createdAt: now)
      nobody.except = [.filters([])]
      return (nobody, true)
    }
  }

  /// The devices of an audience; `nil` if an audience that it names was deleted, or the outcomes of a send were removed.
  private func members(of audience: Audience, at now: Timestamp) async throws -> DeviceNumbers? {
    do {
      return try await planner.audiences.members(of: audience, at: now)
    } catch let error where error.code == .conflict {
      return nil
    }
  }
}

/// The decision about a person whose step is due.
struct StepChoice {
  let trigger: LiveTrigger
  let plan: CampaignPlan
  let step: Int
  let now: Timestamp
  let holdout: Holdout?
  private let split: CampaignSplit?
  var devices: [Enrollment.Person: [UInt32]] = [:]
  /// The devices that are in the audience, or all devices if this step does not check it.
  var members = DeviceNumbers()
  var reachable = DeviceNumbers()

  init(
    trigger: LiveTrigger, plan: CampaignPlan, step: Int, now: Timestamp, holdout: Holdout?
  ) {
    self.trigger = trigger
    self.plan = plan
    self.step = step
    self.now = now
    self.holdout = holdout
    split = plan.steps.indices.contains(step - 1) ? plan.steps[step - 1].split : nil
  }

  func move(_ enrollment: Enrollment) -> EnrollmentChange.Move {
    var new = enrollment
    func ended(_ outcome: Enrollment.Outcome) -> EnrollmentChange.Move {
      new.on(.ended(outcome), at: now)
      return EnrollmentChange.Move(from: enrollment, to: new)
    }
    if let due = enrollment.dueAt, due + Enrollment.lateness < now { return ended(.missed) }
    let own = devices[enrollment.person] ?? []
    let inAudience = own.filter(members.contains)
    guard !inAudience.isEmpty else { return ended(own.isEmpty ? .unreachable : .notInAudience) }
    guard let split else {
      new.on(
        .checked(dueAt: Enrollment.due(from: enrollment.enteredAt + trigger.trigger.firstWait)),
        at: now)
      return EnrollmentChange.Move(from: enrollment, to: new)
    }
    let reached = inAudience.filter(reachable.contains)
    guard !reached.isEmpty else { return ended(.unreachable) }
    // The same bucket as in other campaigns, so that all devices of a person agree.
    let person = enrollment.person.id
    if let holdout, holdout.leavesOut(person) { return ended(.heldOut) }
    let bucket = CampaignBuckets(salt: trigger.campaign).bucket(of: person)
    guard case .variant(let key) = split.arm(of: bucket),
      let place = plan.steps[step - 1].variants.firstIndex(where: { $0.key == key })
    else { return ended(.control) }
    let next = step < plan.steps.count ? Enrollment.due(from: now + plan.steps[step].after) : nil
    new.on(.sent(next: next), at: now)
    return EnrollmentChange.Move(from: enrollment, to: new, delivery: place, devices: reached)
  }
}
