import Markup
import PushModel

/// The report of one send, which analytics keys may open too.
struct SendReport {
  var request: PageRequest
  var results: SendResults
  var failures: HTML?
  var template = TemplateCounts()
  var audiences: SendAudiences?
  /// The newest sends, for the comparison with one of them.
  var sends: [Send] = []
  /// The campaign that made the send; `nil` if no campaign did.
  var campaign: Campaign?

  private var send: Send { results.send }
  private var hours: SendHours { SendHours(hours: results.hours) }

  static func path(of send: Send, _ request: PageRequest) -> String {
    "\(request.path(.reports))/sends/\(send.id)"
  }

  var html: HTML {
    """
    <p><a href="\(request.path(.reports))">Reports</a></p>
    <div class="head"><h1>\(send.summary)</h1><div class="row">\(sendLink)\(downloads)</div></div>
    <p>\(send.stateTag)\(audiences?.testTag(of: send)) Created \(.time(send.createdAt)).\(origin)</p>
    \(results.isEmpty ? empty : nil)
    \(funnel)
    <p class="help">\(others) Devices report what they displayed and opened, if their app has the service \
    extension.</p>
    \(RatesView(results: results, path: Self.path(of: send, request),
      isAsked: request.call.query("languages") != nil).html)
    \(SendTemplate(template, of: send).html)
    \(hours.html)
    <div class="report-pairs"><section>\(hours.media)</section><section>\(failures)</section></div>
    \(deviceDownloads)
    \(ComparisonForm(request: request, send: send, others: sends).html)
    """
  }

  private var empty: HTML {
    """
    <p class="note">There is nothing to report yet: APNs has not answered for any device.</p>
    """
  }

  /// The campaign and the variant that made the send; `nil` if no campaign did.
  private var origin: HTML? {
    guard let campaign, let origin = send.origin else { return nil }
    let plan = try? CampaignPlan(stored: campaign.document, at: request.now)
    return """
       <a href="\(CampaignReport.path(of: campaign, request))">“\(campaign.name)”, \
      \(plan?.title(of: origin.variant) ?? origin.variant)</a>, beside its other variants.
      """
  }

  private var sendLink: HTML? {
    guard request.mayOpen(.sends) else { return nil }
    return "<a class=\"button\" href=\"\(request.path(.sends))/\(send.id)\">View send</a>"
  }

  private var downloads: HTML {
    """
    <a class="button" href="\(Self.path(of: send, request))/report.csv">Export report as CSV</a>
    """
  }

  /// The exports of devices; `nil` for a user who may not see sends.
  private var deviceDownloads: HTML? {
    guard request.mayOpen(.sends) else { return nil }
    let path = "\(request.path(.sends))/\(send.id)/devices.csv"
    let failed = send.counts.rejected + send.counts.uninstalled
    return """
      <div class="row"><a class="button" href="\(path)">Export devices as CSV</a>\
      \("<a class=\"button\" href=\"\(path)?failed\">Export failed devices as CSV</a>", if: failed > 0)</div>
      """
  }

  private var funnel: HTML {
    let counts = send.counts
    return Funnel(steps: [
      .init(title: "Targeted", count: counts.targeted),
      .init(title: "Accepted", count: counts.sent),
      .init(title: "Displayed", count: counts.displayed),
      .init(title: "Opened", count: counts.opened),
      Funnel.conversions(Dictionary(results.conversions.map { ($0.event, $0.count) }) { $1 }),
    ]).html
  }

  /// The counts beside those of the funnel, in a sentence.
  private var others: HTML {
    let counts = send.counts
    return """
      APNs or the server rejected \(.count(counts.rejected)), \(.count(counts.uninstalled)) had uninstalled the app, and \
      \(.count(counts.delivered)) reported that it arrived.
      """
  }
}

/// A table of the newest sends of an app with their results.
struct SendReports {
  var request: PageRequest
  var sends: [Send]
  var audiences: SendAudiences

  var html: HTML {
    """
    <div class="head"><h2>Sends</h2><div class="row">\(all)\(download)</div></div>
    \(sends.isEmpty ? "<p class=\"muted\">No sends yet.</p>" : table)
    """
  }

  private var all: HTML? {
    guard !sends.isEmpty, request.mayOpen(.sends) else { return nil }
    return "<a class=\"button\" href=\"\(request.path(.sends))\">All sends</a>"
  }

  private var download: HTML? {
    guard !sends.isEmpty else { return nil }
    return
      "<a class=\"button\" href=\"\(request.path(.reports))/sends.csv\">Export sends as CSV</a>"
  }

  private var table: HTML {
    let headers = Send.Counts().rows.map { title, _, _ -> HTML in
      "<th scope=\"col\" class=\"number wide\">\(title)</th>"
    }
    let rows = sends.map { send -> HTML in
      let counts = send.counts.rows.map { _, _, count -> HTML in
        "<td class=\"number wide\">\(.count(count))</td>"
      }
      let line = send.counts.rows.enumerated().map { place, row -> HTML in
        "\(" · ", if: place > 0)\(.count(row.count)) \(row.title.lowercased())"
      }
      let test = audiences.testTag(of: send)
      return """
        <tr><th scope="row"><a href="\(SendReport.path(of: send, request))">\(send.summary)</a>\(test)\
        <div class="phone">\(.time(send.createdAt))<br>\(line)</div></th>\
        <td class="wide">\(.time(send.createdAt))</td>\(counts)</tr>

        """
    }
    return .table(
      "Sends",
      """
      <table class="list one-line"><caption class="hidden">The newest sends</caption><thead><tr><th scope="col">Notification</th>\
      <th scope="col" class="wide">Created</th>\(headers)</tr></thead><tbody>\(rows)</tbody></table>
      """)
  }

  /// The names of the columns in CSV.
  static let header =
    ["id", "notification", "state", "accepted"] + Send.Counts().rows.map(\.column)
    + ["quiet", "capped", "test"]

  /// A send in the columns of ``header``.
  static func row(_ send: Send, isTest: Bool) -> [String] {
    [send.id, send.summary, send.state.rawValue, send.createdAt.iso8601]
      + (send.counts.rows.map(\.count) + [send.counts.quiet, send.counts.capped]).map(String.init)
      + [isTest ? "yes" : "no"]
  }
}

/// The outcomes of a send for its devices, as rows of CSV.
enum OutcomeRows {
  static let header = [
    "device_id", "user_id", "result", "status", "reason", "apns_id", "time",
  ]

  /// The rows of outcomes; a device that was deleted meanwhile has no row.
  static func rows(of outcomes: [Outcome], send: String, devices: [Device]) -> [[String]] {
    let byNumber = Dictionary(devices.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
    return outcomes.compactMap { outcome in
      guard let device = byNumber[outcome.device] else { return nil }
      return [
        device.id, device.userID ?? "", outcome.result.rawValue,
        outcome.status.map { String($0) } ?? "", outcome.reason ?? "",
        Identifiers.apnsID(send: send, device: device.id), outcome.time.iso8601,
      ]
    }
  }
}

extension Send.Counts {
  /// The counts in order from the request to the opening, with their names on pages and in CSV.
  var rows: [(title: String, column: String, count: Int)] {
    [
      ("Targeted", "targeted", targeted), ("Sent", "sent", sent),
      ("Rejected", "rejected", rejected), ("Uninstalled", "uninstalled", uninstalled),
      ("Delivered", "delivered", delivered), ("Displayed", "shown", displayed),
      ("Opened", "opened", opened),
    ]
  }
}
