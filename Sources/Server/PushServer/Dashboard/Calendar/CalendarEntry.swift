import Markup
import PushModel
import PushPayload

/// A send or a run of a campaign, at its time.
struct CalendarEntry: Sendable {
  var time: Timestamp
  /// Whether ``time`` is the one that each device's clock shows, written as if it were UTC.
  var isLocal = false
  /// Whether a state forbids that it goes out, or it is over.
  var isOver = false
  var title: String
  var kind: String
  var path: String
  var tag: HTML

  var timeText: HTML {
    isLocal
      ? "<span>\(time.iso8601.dropFirst(11).prefix(5)) on each device’s clock</span>" : .clock(time)
  }

  /// The date and the time, for lists that are not divided by day.
  var dateText: HTML {
    isLocal ? "\(.wallTime(time)) on each device’s clock" : .time(time)
  }
}

extension CalendarEntry {
  init(_ send: Send, _ request: PageRequest) {
    self.init(
      time: send.scheduledAt ?? send.createdAt, isLocal: send.isLocalTime,
      isOver: send.state.isOver, title: send.name ?? send.summary, kind: "Send",
      path: "\(request.path(.sends))/\(send.id)", tag: send.stateTag)
  }

  /// The entry of a run of a campaign, whose time may be on each device's clock.
  init(_ run: CampaignRun, of campaign: Campaign, _ request: PageRequest) {
    let isPaused = campaign.state == .paused && !run.state.isOver
    self.init(
      time: run.plannedAt, isOver: run.state.isOver || isPaused, title: campaign.name,
      kind: "Campaign", path: CampaignPages.path(of: campaign, request),
      tag: isPaused ? campaign.stateTag : run.stateTag(of: campaign))
    if let schedule = campaign.schedule, schedule.zone == .device,
      let day = RunReport(run.report).day
    {
      (time, isLocal) = (schedule.wall(of: day), true)
    } else if let at = campaign.localTime {
      (time, isLocal) = (at, true)
    }
  }

  /// The entry of a day that a recurring campaign has no run for yet.
  init(
    _ day: CalendarDay, of schedule: CampaignSchedule, in campaign: Campaign, _ request: PageRequest
  ) {
    let isLocal = schedule.zone == .device
    self.init(
      time: isLocal ? schedule.wall(of: day) : schedule.moments(of: day).lowerBound,
      isLocal: isLocal, title: campaign.name, kind: "Campaign",
      path: CampaignPages.path(of: campaign, request),
      tag: "<span class=\"tag wait\">planned</span>")
  }
}

extension Campaign {
  /// The days of a recurring campaign; `nil` for another one, and for one that a newer version wrote.
  ///
  /// A calendar has many campaigns, and a plan would read all of their messages.
  var schedule: CampaignSchedule? {
    guard kind == .recurring, let when = document["when"] else { return nil }
    return try? CampaignSchedule(BodyValue(when))
  }

  /// The time on each device's clock; `nil` if the campaign is sent to all devices at the same moment.
  fileprivate var localTime: Timestamp? {
    guard kind == .once, let when = document["when"], when["local_time"]?.bool == true else {
      return nil
    }
    return when["at"]?.string.flatMap { SendTiming.time($0, dropsOffset: true) }
  }
}

extension CampaignRun {
  /// Whether nothing is left to send, although goals may still be measured; `sends` are those of the run.
  func hasSentAll(_ sends: [Send]) -> Bool {
    state == .rolling && !sends.isEmpty && sends.allSatisfy(\.state.isOver)
  }

  /// The state of a run of a campaign.
  func stateTag(of campaign: Campaign) -> HTML {
    let variants =
      campaign.document["variants"] ?? campaign.document["steps"]?.array?.first?["variants"]
    let isInApp = variants?.array?.contains { $0["message"] != nil } ?? false
    return isInApp && state == .rolling ? "<span class=\"tag\">published</span>" : stateTag
  }

  /// The state of a run of pushes.
  private var stateTag: HTML {
    switch state {
    case .planned: "<span class=\"tag wait\">planned</span>"
    case .testing: "<span class=\"tag\">test runs</span>"
    case .deciding: "<span class=\"tag wait\">waits for a decision</span>"
    case .rolling: "<span class=\"tag\">being sent</span>"
    case .settled: "<span class=\"tag good\">sent</span>"
    case .skipped: "<span class=\"tag bad\">not sent</span>"
    case .canceled: "<span class=\"tag bad\">canceled</span>"
    }
  }
}
