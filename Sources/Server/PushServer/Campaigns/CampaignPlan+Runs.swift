import PushModel

extension CampaignPlan {
  /// The first run of a campaign that starts now.
  func firstRun(of campaign: Campaign, at now: Timestamp) -> CampaignRun {
    // In local time, devices east of UTC are due before this time in UTC.
    let due = isLocalTime ? at.map { $0 + SendTiming.firstZone } : at
    var run = CampaignRun(
      id: Identifiers.makeObjectID(), app: campaign.app, campaign: campaign.id, number: 1,
      version: campaign.version, plannedAt: max(now, due ?? now))
    if let schedule, let day = schedule.firstDay(at: now) { run.plan(for: day, of: schedule) }
    return run
  }

  /// The runs that a start plans: the first run, or one for each step of a triggered campaign.
  func start(of campaign: Campaign, at now: Timestamp) -> CampaignStart {
    guard let rule else { return CampaignStart(runs: [firstRun(of: campaign, at: now)]) }
    let runs = steps.indices.map { place in
      var run = CampaignRun(
        id: Identifiers.makeObjectID(), app: campaign.app, campaign: campaign.id,
        number: place + 1, version: campaign.version, plannedAt: now)
      // A step has no time of its own. It is sent to each person when it is due.
      (run.state, run.startedAt, run.dueAt) = (.rolling, now, nil)
      return run
    }
    var trigger = rule.trigger(at: now)
    trigger.firstWait = steps[0].after
    return CampaignStart(runs: runs, trigger: trigger)
  }

  /// The run after one of the schedule; `nil` if the campaign is not recurring, or no day is left.
  ///
  /// Days that are already missed have no run.
  func next(after run: CampaignRun, at now: Timestamp) -> CampaignRun? {
    guard let schedule else { return nil }
    let day =
      if let last = occurrence(of: run)?.day {
        schedule.next(after: last, at: now).day
      } else {
        schedule.firstDay(at: now)
      }
    guard let day else { return nil }
    return Self.run(
      number: run.number + 1, of: run.campaign, version: run.version, app: run.app, on: day,
      of: schedule, at: now)
  }

  /// The run after one whose day is unknown, for the first day whose time is still to come.
  func next(afterRun number: Int, of campaign: Campaign, at now: Timestamp) -> CampaignRun? {
    guard let schedule, let day = schedule.firstDay(at: now) else { return nil }
    return Self.run(
      number: number + 1, of: campaign.id, version: campaign.version, app: campaign.app, on: day,
      of: schedule, at: now)
  }

  private static func run(
    number: Int, of campaign: String, version: Int, app: String, on day: CalendarDay,
    of schedule: CampaignSchedule, at now: Timestamp
  ) -> CampaignRun {
    var run = CampaignRun(
      id: Identifiers.makeObjectID(), app: app, campaign: campaign, number: number,
      version: version, plannedAt: now)
    run.plan(for: day, of: schedule)
    return run
  }

  /// The schedule with the day that a run is for; `nil` if the campaign is not recurring.
  func occurrence(of run: CampaignRun) -> (schedule: CampaignSchedule, day: CalendarDay)? {
    guard let schedule, let day = RunReport(run.report).day else { return nil }
    return (schedule, day)
  }

  /// A notification with the payload of a variant, for delivery at once.
  ///
  /// `share` is the part of the devices of all variants that are sent to at the same time; it has that part of the rate.
  func send(
    _ payload: BodyValue, as variant: Variant, of run: CampaignRun, in campaign: Campaign,
    phase: CampaignRun.Phase, to audience: Audience, share: Double, at now: Timestamp
  ) -> Send {
    var send = Send(
      id: Identifiers.makeObjectID(), messageID: Identifiers.makeObjectID(), app: run.app,
      audience: audience.id, payload: payload.value, createdAt: now)
    send.origin = run.origin(of: variant.key, phase)
    send.name = campaign.name
    send.labels = campaign.labels
    send.throttlePerSecond = throttlePerSecond.map { max(1, Int(Double($0) * share)) }
    send.capping = limits.capping
    return send
  }

  /// The time on each device's clock at which a run is sent; `nil` if it is not sent in local time.
  func localTime(of run: CampaignRun) -> Timestamp? {
    if let (schedule, day) = occurrence(of: run) {
      return schedule.zone == .device ? schedule.wall(of: day) : nil
    }
    return isLocalTime ? at : nil
  }
}

extension CampaignRun {
  /// The origin that a variant's notifications and in-app messages carry.
  func origin(of variant: String, _ phase: Phase) -> Send.RunOrigin {
    Send.RunOrigin(campaign: campaign, run: id, phase: phase, variant: variant)
  }

  /// Plans the run for a day; it is due at the first moment at which a device gets it.
  fileprivate mutating func plan(for day: CalendarDay, of schedule: CampaignSchedule) {
    var report = RunReport(report)
    report.day = day
    self.report = report.json
    plannedAt = schedule.moments(of: day).lowerBound
    dueAt = plannedAt
  }
}
