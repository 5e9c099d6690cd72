import PushModel
import PushPayload

/// The facts that explain what a device got of a notification, or of a run.
struct DeliveryFacts: Sendable {
  /// The reason why the device got it or did not.
  enum Code: String, CaseIterable, Sendable {
    case delivered, accepted, published, unpublished, refused, waiting, paused, canceled, expired,
      failed
    case planned, skipped, control
    case heldOut = "held_out"
    case missed, quiet, capped
    case waitsForWinner = "waits_for_winner"
    case noWinner = "no_winner"
    case notStored = "not_stored"
    case erased, uninstalled
    case registeredLater = "registered_later"
    case notInAudience = "not_in_audience"
    case optedOut = "opted_out"
    case noToken = "no_token"
    case otherPlatform = "other_platform"
    case notSelected = "not_selected"
  }

  var device: Device
  /// The notification that was for the device; `nil` if none was.
  var send: Send?
  var outcome: Outcome?
  /// The in-app message of a run that is for the device.
  var message: Message?
  /// Whether the subject is in-app messages, which need no push.
  var isInApp = false
  /// The push that is not sent yet, as of ``now``.
  var waiting: WaitingPush?
  var now: Timestamp
  /// The reports of the device, the oldest first.
  var receipts: [Receipt] = []
  var run: CampaignRun?
  /// The time at which the winner of the run's test was decided.
  var decidedAt: Timestamp?
  /// The pushes to the device that frequency caps count, and the current rules.
  var pushes: [Timestamp] = []
  var caps: [FrequencyCap] = []
  /// The group of the run that the device is in.
  var group: CampaignRun.Group?
  /// The time at which the devices were selected; `nil` if they are not selected yet.
  var selectedAt: Timestamp?
  /// Whether the store still has the list of the selected devices.
  var isStored = true
  /// Whether the device is in the audience now; `nil` if the audience was deleted.
  var isMember: Bool?
  /// The condition that keeps the device out of the audience now.
  var miss: AudienceMiss?

  init(device: Device, at now: Timestamp) { (self.device, self.now) = (device, now) }

  /// The first reason that applies: past events, then decisions, then the current state of the device.
  var reason: (code: Code, message: String) {
    if case .capped(let cap)? = outcome?.limit, let outcome {
      return (.capped, Self.words(cap, pushes(by: cap, at: outcome.time)))
    }
    if let outcome { return reason(outcome, receipts.last) }
    if let send { return reason(send) }
    if let message { return reason(message) }
    if group == .capped { return (.capped, reasonOfCap) }
    if group == .quiet, let unknownZone { return (.quiet, unknownZone) }
    if let group, let run { return Self.reason(group, of: run) }
    if let run, let reason = Self.reason(run) { return reason }
    guard isStored else {
      return (.notStored, "which devices it was sent to is not stored any more, see retention")
    }
    return reasonNow
  }

  private func reason(
    _ outcome: Outcome, _ receipt: Receipt?
  ) -> (code: Code, message: String) {
    switch outcome.limit {
    case .quiet:
      let words =
        "at \(outcome.time.iso8601) it was in its quiet hours, in which it gets nothing"
      return (.quiet, unknownZone ?? words)
    case .capped, nil: break
    }
    guard outcome.result == .sent else {
      let reason = outcome.reason ?? outcome.result.rawValue
      let answer = outcome.status.map { "APNs refused the push with \($0) \(reason)" }
      return (
        .refused, "\(answer ?? "nothing was sent: \(reason)"). \(FailureAdvice.text(reason))"
      )
    }
    if let receipt {
      return (
        .delivered,
        "the device has reported \(receipt.event.rawValue) at \(receipt.at.iso8601)"
      )
    }
    return (
      .accepted,
      "APNs accepted the push at \(outcome.time.iso8601), and the device has not reported it; it"
        + " may be off, in a Focus, or its app has no service extension"
    )
  }

  private func reason(_ message: Message) -> (code: Code, message: String) {
    let end = message.unpublishAt.iso8601
    return message.unpublishAt > now
      ? (
        .published, "the message is in the device's inbox until \(end), unless its user removes it"
      )
      : (.unpublished, "the device's inbox has shown the message until \(end)")
  }

  /// The reason why the device gets nothing that depends on its clock; `nil` if its time zone is known.
  ///
  /// Unknown time zones are not stored any more, so one that is there now has been there all along.
  private var unknownZone: String? {
    guard let name = device.timeZone, DeviceTimeZone.clock(ofDevice: name) == nil else {
      return nil
    }
    return "its time zone \"\(name.prefix(64))\" is not known, so that it may be night there;"
      + " set a known one"
  }

  private func reason(_ send: Send) -> (code: Code, message: String) {
    switch send.state {
    case .scheduled, .sending: (.waiting, wait(of: send))
    case .pausing, .paused:
      (.paused, "the notification is paused" + (send.failure.map { ": \($0)" } ?? ""))
    case .canceled: (.canceled, "the notification was canceled before its push was sent")
    case .failed:
      (.failed, "the notification failed" + (send.failure.map { ": \($0)" } ?? ""))
    case .complete: (.expired, "the notification expired before its push was sent")
    }
  }

  /// The time that an unsent push waits for, and whether a cap would hold the push back now.
  private func wait(of send: Send) -> String {
    var words = "its push is not sent yet"
    if waiting?.quiet == .always {
      words = unknownZone ?? "its push is not sent: its time zone was not known"
    } else if let quiet = waiting?.quiet, let end = quiet.end(at: now) {
      words =
        quiet.otherwise == .wait
        ? "it is in its quiet hours (quiet) until \(end.iso8601), when its push is sent"
        : "it is in its quiet hours (quiet) until \(end.iso8601), and the push is not sent if it is due before"
    } else if let due = waiting?.dueAt, due > now {
      words = "its push is due at \(due.iso8601)"
    } else if let retry = waiting?.retry {
      words =
        switch retry.attempts {
        case _ where retry.isKeyRefused: "APNs has refused the app's key"
        case 0: "APNs has not answered to its push"
        case 1: "APNs has put its push off once"
        default: "APNs has put its push off \(retry.attempts) times"
        }
      words += "; the server tries again at \(retry.dueAt.iso8601)"
    }
    guard send.capping.contains(.obeys) else { return words }
    for cap in caps {
      let counted = pushes(by: cap, at: now)
      guard counted.count >= cap.most else { continue }
      return words + "; as of now it would be held back (capped): " + Self.words(cap, counted)
    }
    return words
  }

  private static func reason(
    _ group: CampaignRun.Group, of run: CampaignRun
  ) -> (code: Code, message: String) {
    switch group {
    case .control: (.control, "its person is in the control of the campaign, which is sent nothing")
    case .heldOut: (.heldOut, "its person is in the holdout of the app, which gets no campaigns")
    case .missed:
      (.missed, "the time of the campaign was over in its time zone when the run began")
    case .quiet:
      (.quiet, "its push would have been sent in its quiet hours, in which it gets nothing")
    case .capped: (.capped, "it had got as many pushes as the app allows")
    case .rest where run.state == .testing || run.state == .deciding:
      (.waitsForWinner, "it is not in the sample of the test, and waits for the winner")
    case .rest where run.state == .canceled:
      (.canceled, "the run was canceled before the winner was sent")
    case .rest: (.noWinner, "it was not in the sample of the test, after which no variant was sent")
    }
  }

  // MARK: Frequency caps

  /// The pushes that count for a cap at a time.
  private func pushes(by cap: FrequencyCap, at time: Timestamp) -> [Timestamp] {
    // The times of pushes are rounded up to a second.
    pushes.filter { $0 > time + (.zero - cap.within) && $0 <= time + .seconds(1) }
  }

  /// The cap that left the device out of a run, by the current rules.
  private var reasonOfCap: String {
    for time in [run?.startedAt, decidedAt].compactMap(\.self) {
      for cap in caps {
        let counted = pushes(by: cap, at: time)
        if counted.count >= cap.most { return Self.words(cap, counted) }
      }
    }
    return "it had got as many pushes as the app allows; which ones is not stored any more"
  }

  private static func words(_ cap: FrequencyCap, _ pushes: [Timestamp]) -> String {
    let times = pushes.suffix(cap.most).map(\.iso8601).joined(separator: ", ")
    return
      "the app allows a device \(cap.most) \(cap.most == 1 ? "push" : "pushes") in \(cap.withinText)"
      + (times.isEmpty ? "" : ", and it had got them at \(times)")
  }

  /// The reason why nobody got anything of a run; `nil` if the run has begun.
  private static func reason(_ run: CampaignRun) -> (code: Code, message: String)? {
    guard run.startedAt == nil else { return nil }
    return switch run.state {
    case .planned:
      (.planned, "the run begins at \(run.plannedAt.iso8601), and selects its devices then")
    case .skipped: (.skipped, "the run was skipped: \(run.reason ?? "")")
    case .canceled: (.canceled, "the run was canceled before it began")
    case .testing, .deciding, .rolling, .settled: nil
    }
  }

  /// The reason why the device was not selected, as far as its current state tells.
  private var reasonNow: (code: Code, message: String) {
    if let time = device.erasedAt { return (.erased, "the device was erased at \(time.iso8601)") }
    if let time = device.uninstalledAt {
      return (.uninstalled, "the app was removed from the device, says APNs since \(time.iso8601)")
    }
    if let selectedAt, device.createdAt > selectedAt {
      return (
        .registeredLater,
        "the device registered at \(device.createdAt.iso8601), after the devices were selected"
      )
    }
    guard let isMember else {
      return (.notStored, "the audience was deleted, so it is not known who was in it")
    }
    guard isMember else {
      return (
        .notInAudience, "the device is not in the audience" + (miss.map { ": \($0.words)" } ?? "")
      )
    }
    let selection = selectedAt?.iso8601 ?? ""
    guard !isInApp else {
      return (
        .notSelected,
        "the device is in the audience now, and was not when it was read at \(selection)"
      )
    }
    guard device.isPushEnabled else { return (.optedOut, "the user does not allow pushes") }
    guard device.token != nil else { return (.noToken, "the device has no push token") }
    guard device.platform == "iOS" else {
      return (.otherPlatform, "the device is no iOS device, and pushes go through APNs")
    }
    return (
      .notSelected,
      "the device could get it now, and could not when the devices were selected at"
        + " \(selection)"
    )
  }
}
