import PushModel
import PushPayload

@testable import PushServer

extension FinalAnswers {
  /// An action on an object, as the audit log and the calls of webhooks name them.
  struct ObjectAction: Hashable, Sendable {
    var action: String
    var object: String
  }

  /// What the server counts of all sends of the app, and of its devices.
  struct Statistics: Sendable {
    /// The sums of all hours.
    var counters: [Counter: Int] = [:]
    var totals = SendTotals()
  }
}

extension World {
  // MARK: What the server says

  /// The whole audit log of the app.
  func auditLines() async -> [FinalAnswers.ObjectAction: Int] {
    var (lines, cursor): ([FinalAnswers.ObjectAction: Int], String?) = ([:], nil)
    repeat {
      let query = cursor.map { [(name: "cursor", value: $0)] } ?? []
      let page = await insist("GET", "/v6/audit", query: query, role: .admin)
      for entry in page.json["entries"]?.array ?? [] {
        let line = FinalAnswers.ObjectAction(
          action: entry["action"]?.string ?? "", object: entry["object"]?.string ?? "")
        lines[line, default: 0] += 1
      }
      cursor = page.json["meta"]?["cursor"]?.string
    } while cursor != nil
    return lines
  }

  /// The sums of the counts of a send over all hours.
  func hours(of id: String) async -> [String: Int] {
    let answer = await insist(
      "GET", "/v6/stats/notifications/\(id)/hours", role: .analytics)
    var sums: [String: Int] = [:]
    for hour in answer.json.array ?? [] {
      for (name, count) in hour.object ?? [:] {
        if let count = count.integer { sums[name, default: 0] += Int(count) }
      }
    }
    return sums
  }

  /// What the server counts of the app, whatever its clock was set to meanwhile.
  func statistics() async -> FinalAnswers.Statistics? {
    guard let node else { return nil }
    let span = (beginning + .seconds(-1_000_000), beginning + .seconds(1_000_000))
    var statistics = FinalAnswers.Statistics()
    do {
      for counter in Counter.allCases {
        statistics.counters[counter] = try await node.store.counts(
          of: counter, app: app, from: span.0, to: span.1
        ).reduce(0) { $0 + $1.count }
      }
      statistics.totals = try await node.store.totals(app: app, from: span.0, to: span.1)
    } catch {
      findings.add(.answered, "the statistics cannot be read: \(error)")
      return nil
    }
    return statistics
  }

  // MARK: What it promises

  /// Checks that the audit log has what people did to sends and campaigns.
  func checkAudit(_ answers: FinalAnswers) {
    func check(_ action: String, _ object: String?, _ name: String, isOnce: Bool = false) {
      guard let object else { return }
      let count = answers.audit[FinalAnswers.ObjectAction(action: action, object: object)] ?? 0
      guard count == 0 || isOnce && count > 1 else { return }
      findings.add(.audit, "the audit log has \(count) entries \(action) of \(name)")
    }
    for (_, send) in records.allSends() where send.accepted != nil {
      check("notification.create", send.id, send.name, isOnce: true)
      if !send.orders.pauses.isEmpty { check("notification.pause", send.id, send.name) }
      if send.orders.canceled != nil { check("notification.cancel", send.id, send.name) }
    }
    for (number, campaign) in records.startedCampaigns() {
      for action in ["campaign.create", "campaign.start"] {
        check(action, campaign.id, campaign.name, isOnce: true)
      }
      if !campaign.orders.pauses.isEmpty { check("campaign.pause", campaign.id, campaign.name) }
      // One that has sent all has ended by itself, and is not changed by the order.
      let runs = answers.campaigns[number]?.runs ?? []
      if campaign.orders.canceled != nil,
        campaign.new.trigger != nil || runs.contains(where: { $0.state == .canceled })
      {
        check("campaign.end", campaign.id, campaign.name)
      }
    }
  }

  /// Checks that statistics count what the outcomes say.
  func checkStatistics(_ answers: FinalAnswers) {
    for (record, answer) in sends(of: answers) {
      for count in ["sent", "rejected", "uninstalled"]
      where answer.hours[count] ?? 0 != answer.counts[count] ?? 0 {
        findings.add(
          .statistics,
          "\(record.name) has \(answer.counts[count] ?? 0) \(count), and its hours have"
            + " \(answer.hours[count] ?? 0)")
      }
    }
    guard let statistics = answers.statistics else { return }
    let sent = statistics.counters[.pushesSent] ?? 0
    if sent != statistics.totals.accepted {
      findings.add(
        .statistics,
        "the app counts \(sent) pushes, and its sends \(statistics.totals.accepted)")
    }
    let known = records.allPhones().filter { $0.told.first?.answered != nil }.count
    if statistics.counters[.installs] ?? 0 < known {
      findings.add(
        .statistics,
        "\(statistics.counters[.installs] ?? 0) installs are counted, of \(known) phones")
    }
  }
}
