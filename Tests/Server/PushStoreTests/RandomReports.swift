import PushPayload
import Testing

@testable import PushModel
@testable import PushStore

/// Random requests of devices, with repeats, unknown devices and sends, and ended sends.
struct RandomReports {
  enum Step: Sendable {
    case report(ReportRequest)
    case events(EventRequest)
    case impression(ImpressionRequest)
  }

  private(set) var steps: [Step] = []

  init(with random: inout some RandomNumberGenerator) {
    let devices = (0..<4).map { "d-\($0)" } + ["later", "erased", "none"]
    let sends = ["s-0", "s-1", "ended", "none"]
    var time = 0
    for _ in 0..<60 {
      time += Int.random(in: 0...4000, using: &random)
      let now = Sample.now + .seconds(time)
      func one<T>(_ values: [T]) -> T { values[Int.random(in: values.indices, using: &random)] }
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let receipts = (0..<Int.random(in: 1...4, using: &random)).map { _ in
          var receipt = Receipt(
            id: "\(Int.random(in: 0..<6, using: &random))", send: one(sends), device: one(devices),
            event: one(Receipt.Event.allCases),
            at: now + .seconds(Int.random(in: -80_000...5000, using: &random)))
          receipt.media = one([nil, "attached", "failed"])
          receipt.reason = one([nil, nil, "timeout"])
          receipt.page = one([nil, 0, 1])
          receipt.dwell = one([nil, 3])
          receipt.value = one([nil, "1", "2"])
          return receipt
        }
        steps.append(.report(ReportRequest(report: .receipts(receipts), at: now)))
      case 5..<7:
        steps.append(.report(ReportRequest(report: .opening(device: one(devices)), at: now)))
      case 7..<9:
        let events = (0..<Int.random(in: 1...3, using: &random)).map { _ in
          var event = DeviceEvent(
            name: one(["play", "buy"]), id: one([nil, "e1", "e2"]),
            send: one([nil, nil, "s-0", "none"]))
          event.items = one([[], [PurchasedItem(name: "Map", quantity: 2, price: 5)]])
          return event
        }
        let subject: EventRequest.Subject =
          Bool.random(using: &random) ? .device(one(devices)) : .user(one(["u", "nobody"]))
        steps.append(.events(EventRequest(events: events, of: subject, at: now)))
      default:
        steps.append(
          .impression(
            ImpressionRequest(
              impression: one(Message.Impression.allCases), message: one(["m", "none"]),
              device: one(devices), at: now)))
      }
    }
  }
}

/// An app with devices, sends and a message, of which devices report.
///
/// Its ids are the same in each app, but for those that a store has once.
struct ReportedApp<Store: SQLPushStore> {
  let store: Store
  let fixture: StoreFixture
  let app: String

  init(_ store: Store, _ app: String) async throws {
    self.store = store
    self.app = app
    fixture = try await StoreFixture(store, app)
    for (number, id) in ["d-0", "d-1", "d-2", "d-3", "erased"].enumerated() {
      try await fixture.update(id) {
        $0.token = .set("\(number)")
        if number == 1 || number == 2 { $0.userID = .set("u") }
      }
    }
    for id in ["s-0", "s-1", "ended"] { try await fixture.accept(scoped(id)) }
    try await fixture.drain()
    _ = try await store.erase(device: "erased", app: app, at: Sample.now)
    try await fixture.update("later") { $0.token = .set("f") }
    var trigger = CampaignTrigger(
      .event(EventMatch("play")), exits: [EventMatch("buy")], againAfter: .seconds(60),
      firstWait: .seconds(3600), since: Sample.now)
    try await fixture.start(scoped("played"), trigger)
    trigger.exits = []
    trigger.entry = .event(EventMatch("buy", where: [EventCondition("items", [.equals(1)])]))
    try await fixture.start(scoped("bought"), trigger)
    try await store.add(
      Message(
        id: scoped("m"), app: app, audience: "a", title: "T", content: [:], createdAt: Sample.now,
        unpublishAt: Sample.now + .days(30)))
  }

  private func scoped(_ id: String) -> String { "\(app)-\(id)" }

  /// Runs steps, those of one kind that follow each other in one transaction.
  func run(_ steps: [RandomReports.Step]) async throws -> [String] {
    var answers: [String] = []
    var rest = steps[...]
    while let first = rest.first {
      let group = Array(rest.prefix { $0.kind == first.kind })
      rest = rest.dropFirst(group.count)
      let (app, groups) = (app, store.groups)
      let scoped = group.map { $0.scoped(to: app) }
      answers += try await store.write { db in
        switch first {
        case .report:
          try Store.store(scoped.compactMap(\.report), app: app, groups: groups, db)
            .map { "\($0)" }
        case .events:
          try Store.store(scoped.compactMap(\.events), app: app, triggers: groups.triggers, db)
            .map { answer in
              switch answer {
              case .success(let count): "\(count)"
              case .failure(let error): error.code == .erased ? "erased" : "\(error)"
              }
            }
        case .impression:
          try Store.store(scoped.compactMap(\.impression), app: app, db).map { "\($0)" }
        }
      }
    }
    return answers
  }

  /// All that can be read of the app.
  func state() async throws -> [String] {
    var state: [String] = []
    for id in ["s-0", "s-1", "ended"].map(scoped) {
      let counts = try await fixture.send(id).counts
      state.append("\(id.dropFirst(app.count)) \(counts)")
      for hour in try await store.hours(of: id, app: app) {
        var counts = hour
        (counts.media, counts.mediaFailures) = ([:], [:])
        state.append("\(counts) \(Self.sorted(hour.media)) \(Self.sorted(hour.mediaFailures))")
      }
      state.append("\(Self.sorted(try await store.conversions(of: id, app: app)))")
      state.append("\(Self.sorted(try await store.mediaFailures(of: id, app: app)))")
      let template = try await store.templateCounts(of: id, app: app)
      state.append("\(template.viewed) \(template.answered) \(template.opened) \(template.played)")
      state.append("\(Self.sorted(template.values)) \(template.expired)")
      state.append("\(template.pages.sorted { $0.key < $1.key })")
      #expect(counts.delivered <= counts.sent && counts.opened <= counts.sent)
    }
    for device in try await store.devices(app: app, above: nil, limit: 100) {
      state.append("\(device.id) \(String(describing: device.lastOpenedAt))")
      state.append("\(device.events.sorted { $0.key < $1.key })")
      for id in ["s-0", "s-1", "ended"].map(scoped) {
        let receipts = try await store.receipts(of: id, device: device, app: app)
        state.append(
          "\(receipts.map { [$0.id, $0.event.rawValue, "\($0.at)"] }.sorted { "\($0)" < "\($1)" })")
      }
    }
    for counter in Counter.allCases {
      let values = try await store.counts(
        of: counter, app: app, from: Timestamp(milliseconds: 0), to: Sample.now + .days(30))
      state.append("\(counter) \(values)")
    }
    state += try await fixture.enrollments()
    let impressions = try await store.impressions(of: scoped("m"), app: app)
    state.append("\(impressions.sorted { $0.key.rawValue < $1.key.rawValue })")
    return state
  }

  private static func sorted(_ counts: [String: Int]) -> [String] {
    counts.map { "\($0.key) \($0.value)" }.sorted()
  }
}

extension RandomReports.Step {
  fileprivate var kind: Int {
    switch self {
    case .report: 0
    case .events: 1
    case .impression: 2
    }
  }

  fileprivate var report: ReportRequest? {
    if case .report(let request) = self { request } else { nil }
  }
  fileprivate var events: EventRequest? {
    if case .events(let request) = self { request } else { nil }
  }
  fileprivate var impression: ImpressionRequest? {
    if case .impression(let request) = self { request } else { nil }
  }

  /// The step with the ids of sends and messages of an app.
  fileprivate func scoped(to app: String) -> RandomReports.Step {
    switch self {
    case .report(var request):
      if case .receipts(let receipts) = request.report {
        request.report = .receipts(
          receipts.map { receipt in
            var receipt = receipt
            receipt.send = "\(app)-\(receipt.send)"
            return receipt
          })
      }
      return .report(request)
    case .events(var request):
      request.events = request.events.map { event in
        var event = event
        event.send = event.send.map { "\(app)-\($0)" }
        return event
      }
      return .events(request)
    case .impression(var request):
      request.message = "\(app)-\(request.message)"
      return .impression(request)
    }
  }
}
