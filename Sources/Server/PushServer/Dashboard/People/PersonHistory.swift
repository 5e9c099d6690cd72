import Markup
import PushModel
import _HTTPServer

/// What was sent to a person: the app's newest notifications, each with what became of it on the person's devices.
struct PersonHistory {
  /// The result of a notification for a person, in the order from the worst to the best.
  enum Result: Int, Comparable {
    case notSent, waits, heldBack, refused, accepted, received, displayed, dismissed, opened

    static func < (left: Result, right: Result) -> Bool { left.rawValue < right.rawValue }
  }

  /// A notification with its best result, and the device that has it.
  struct Row {
    var send: Send
    var result = Result.notSent
    var device: Device
    var outcome: Outcome?
    /// The time of the report that shows the result.
    var reportedAt: Timestamp?
  }

  /// The notifications of a page, and the devices that are looked up for each.
  static let pageSize = 8
  static let deviceLimit = 5

  private let request: PageRequest
  /// The person or the device that the notifications are for.
  private let recipient: Actions.TimelineRecipient
  private(set) var rows: [Row] = []
  private var isFirst = true
  private var next: String?
  /// Whether the notifications of triggered campaigns are listed, which may be many and each for few people.
  private var hasTriggered = false

  init(
    of all: [Device], as recipient: Actions.TimelineRecipient, _ request: PageRequest
  ) async throws {
    (self.request, self.recipient) = (request, recipient)
    let (store, app) = (request.router.store, request.app.id)
    let newest = all.sorted {
      ($0.lastOpenedAt ?? $0.createdAt) > ($1.lastOpenedAt ?? $1.createdAt)
    }
    let devices = Array(newest.prefix(Self.deviceLimit))
    guard let device = devices.first else { return }
    hasTriggered = request.call.query("triggered") != nil
    var cursor = request.call.query("after")
    if let id = cursor, try await store.send(id, app: app) == nil { cursor = nil }
    isFirst = cursor == nil
    let page = try await store.uncountedSends(
      app: app, matching: hasTriggered ? SendQuery() : .withoutTriggered, after: cursor,
      limit: Self.pageSize + 1)
    let sends = Array(page.prefix(Self.pageSize))
    next = page.count > Self.pageSize ? sends.last?.id : nil
    let deliveries = Dictionary(
      grouping: try await store.deliveries(of: sends.map(\.id), to: devices, app: app), by: \.send)
    for send in sends {
      var row = Row(send: send, device: device)
      for delivery in deliveries[send.id] ?? [] {
        guard let owner = devices.first(where: { $0.number == delivery.device }) else { continue }
        row.add(delivery, on: owner)
      }
      if row.result == .notSent, !send.state.isOver {
        for device in devices {
          let isTargeted = try await store.isTargeted(device.number, by: send.id, app: app)
          if isTargeted == true { (row.result, row.device) = (.waits, device) }
        }
      }
      rows.append(row)
    }
  }

  var html: HTML {
    """
    <h2 id="history">Notifications</h2>
    \(rows.isEmpty ? "<p class=\"muted\">Nothing was sent yet.</p>" : table)
    \(rows.isEmpty ? nil : "<div class=\"row\">\(pages)\(triggered)</div>" as HTML)
    """
  }

  /// The newest notifications beside a search that has found one person, with the link to all.
  func beside(_ person: AppPerson) -> HTML? {
    guard !rows.isEmpty else { return nil }
    return """
      <h2>Notifications to \(person.id)</h2>
      \(table)
      <p><a class="button" href="\(person.path(request))#history">All notifications</a></p>
      """
  }

  private var table: HTML {
    let cells = rows.map { row -> HTML in
      """
      <tr><th scope="row"><a href="\(request.path(.sends))/\(row.send.id)">\(name(row))</a>\
      <p class="phone">\(.time(row.send.createdAt))</p></th>\
      <td>\(row.result.tag)\(details(row))</td><td class="wide">\(.time(row.send.createdAt))</td>\
      <td><a href="\(WhyPages.path(of: .notification(row.send.id), to: recipient, request))">Why?\
      <span class="hidden"> The way of \(name(row))</span></a></td></tr>

      """
    }
    let table: HTML = """
      <table class="list"><caption class="hidden">Notifications, the newest first</caption><thead><tr>\
      <th scope="col">Notification</th><th scope="col">Result</th>\
      <th scope="col" class="wide">Created</th>\
      <th scope="col"><span class="hidden">Its way</span></th></tr></thead><tbody>\(cells)</tbody></table>
      """
    return HTML.table("Notifications", table)
  }

  private func name(_ row: Row) -> String { row.send.name ?? row.send.summary }

  private func details(_ row: Row) -> HTML? {
    switch row.result {
    case .refused:
      row.outcome.map { outcome -> HTML in
        """
        <p class="under">\(outcome.status.map { "\($0) " } ?? "")\(outcome.reason ?? ""). \
        \(FailureAdvice.text(outcome.reason ?? ""))</p>
        """
      }
    case .heldBack:
      row.outcome?.limit.map { limit -> HTML in
        switch limit {
        case .quiet: "<p class=\"under\">In quiet hours</p>"
        case .capped: "<p class=\"under\">Had got as many as the app allows</p>"
        }
      }
    case .accepted: "<p class=\"under\">No report of the device yet</p>"
    case .opened, .displayed, .received, .dismissed:
      row.reportedAt.map { "<p class=\"under\">\(.time($0))</p>" }
    case .notSent, .waits: nil
    }
  }

  // MARK: Other pages

  private func address(_ query: [(String, String)]) -> String {
    var fields = query
    if let id = request.call.query("id") { fields.insert(("id", id), at: 0) }
    let text = URLEncoded.encode(fields.map { (name: $0.0, value: $0.1) })
    // A form of a device's page is sent to another address.
    var path = request.http.path
    if request.http.method == "POST", case .device(let id) = recipient {
      path = PersonPages.path(ofDevice: id, request)
    }
    return path + (text.isEmpty ? "" : "?\(text)") + "#history"
  }

  private var mode: [(String, String)] { hasTriggered ? [("triggered", "1")] : [] }
  private var pages: HTML {
    .pages(
      first: isFirst ? nil : address(mode), next: next.map { address(mode + [("after", $0)]) })
  }
  private var triggered: HTML {
    """
    <a class="button" href="\(address(hasTriggered ? [] : [("triggered", "1")]))">\
    \(hasTriggered ? "Without" : "With") triggered campaigns</a>
    """
  }
}

extension PersonHistory.Row {
  fileprivate mutating func add(_ delivery: DeviceDelivery, on device: Device) {
    var best = PersonHistory.Result.notSent
    var time: Timestamp?
    if let outcome = delivery.outcome {
      best = outcome.result == .sent ? .accepted : outcome.limit == nil ? .refused : .heldBack
    }
    for receipt in delivery.receipts {
      guard let result = PersonHistory.Result(receipt.event), result > best else { continue }
      (best, time) = (result, receipt.at)
    }
    guard best > result else { return }
    (result, self.device, outcome, reportedAt) = (best, device, delivery.outcome, time)
  }
}

extension PersonHistory.Result {
  /// The result that a report shows; `nil` if it shows only what was done in an expanded notification.
  fileprivate init?(_ event: Receipt.Event) {
    switch event {
    case .received: self = .received
    case .displayed: self = .displayed
    case .dismissed: self = .dismissed
    case .opened, .action, .templateOpened, .templateAnswered: self = .opened
    case .templateViewed, .templatePage, .templatePlayed: self = .displayed
    case .templateExpired: return nil
    }
  }

  fileprivate var tag: HTML {
    switch self {
    case .notSent: "<span class=\"muted\">not sent</span>"
    case .waits: "<span class=\"tag\">waits</span>"
    case .heldBack: "<span class=\"tag wait\">held back</span>"
    case .refused: "<span class=\"tag bad\">not delivered</span>"
    case .accepted: "<span class=\"tag\">accepted by APNs</span>"
    case .received: "<span class=\"tag good\">received</span>"
    case .displayed: "<span class=\"tag good\">shown</span>"
    case .dismissed: "<span class=\"tag good\">shown, dismissed</span>"
    case .opened: "<span class=\"tag good\">opened</span>"
    }
  }
}
