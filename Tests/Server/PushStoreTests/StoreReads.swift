import PushPayload

@testable import PushModel
@testable import PushStore

/// Everything that a store reads, by calls that change nothing, of the app `kept` of ``AppRows``.
struct StoreRead: Sendable {
  let name: String
  /// The elements of what the call returns.
  let read: @Sendable (any SQLPushStore) async throws -> Set<AnyHashable>

  /// A call that returns a list, of which a damaged value may take elements away.
  private static func list<Elements: Sequence>(
    _ name: String, _ read: @escaping @Sendable (any SQLPushStore) async throws -> Elements
  ) -> StoreRead where Elements: SendableMetatype, Elements.Element: Hashable & SendableMetatype {
    StoreRead(name: name) { Set(try await read($0).map { AnyHashable($0) }) }
  }

  /// A call that returns one value, or nothing.
  private static func value<Value: Hashable & SendableMetatype>(
    _ name: String, _ read: @escaping @Sendable (any SQLPushStore) async throws -> Value?
  ) -> StoreRead {
    StoreRead(name: name) { Set(try await read($0).map { [AnyHashable($0)] } ?? []) }
  }

  /// A call that returns a value that cannot be compared but as text.
  private static func text(
    _ name: String, _ read: @escaping @Sendable (any SQLPushStore) async throws -> Any?
  ) -> StoreRead {
    StoreRead(name: name) { Set(try await read($0).map { [AnyHashable("\($0)")] } ?? []) }
  }

  private static let app = "kept", send = "kept-sent", now = Sample.now
  private static let all = DeviceNumbers([1, 2])

  static let every: [StoreRead] = apps + devices + sends + campaigns + people

  private static let apps: [StoreRead] = [
    list("apps") { try await $0.apps() },
    value("app") { try await $0.app(app) },
    list("keys") { try await $0.keys(app: app) },
    value("key") { try await $0.key(hash: Sample.key(1).hash) },
    list("identity keys") { try await $0.identityKeys(app: app) },
    list("audit of an object") { try await $0.audit(of: "kept", app: app, limit: 99) },
    list("audit") { try await $0.audit(app: app, after: nil, limit: 99).elements },
    list("webhooks") { try await $0.webhooks(app: app) },
    value("upload") { try await $0.upload(String(repeating: "a", count: 32) + ".png") },
    value("seal mark") { try await $0.sealMark() },
    value("limits") { try await $0.limits(app: app) },
    value("template") { try await $0.template("template", app: app) },
    value("template's version") { try await $0.template("template", version: 1, app: app) },
    list("templates") {
      try await $0.templates(app: app, matching: "", after: nil, limit: 9).elements
    },
    value("import") { try await $0.fileImport("kept-file", app: app) },
    list("imports") { try await $0.fileImports(app: app, limit: 9) },
    value("part of an import") { try await $0.part(0, ofImport: "kept-file", app: app) },
    list("versions") {
      try await $0.versions(ofTemplate: "template", app: app, before: nil, limit: 9)
    },
  ]

  private static let devices: [StoreRead] = [
    value("device") { try await $0.device("kept-0", app: app) },
    list("devices above a number") { try await $0.devices(app: app, above: nil, limit: 9) },
    list("devices by number") { try await $0.devices(app: app, numbers: all) },
    list("devices by token") { try await $0.devices(app: app, tokenPrefix: "", limit: 9) },
    list("devices of a user") { try await $0.devices(ofUser: "ada", app: app, limit: 9) },
    list("devices of users") {
      try await $0.devices(ofUsers: ["ada"], app: app, limit: 9).values.flatMap(\.self)
    },
    list("devices by a user's beginning") {
      try await $0.devices(app: app, userPrefix: "a", limit: 9)
    },
    list("uninstalled") { store in
      try await store.uninstalled(
        app: app, from: Timestamp(milliseconds: 0), to: now + .seconds(9), after: nil, limit: 9
      ).elements
    },
    value("owners") { try await $0.owners(of: ["kept-0"], app: app) },
    list("recipients") { try await $0.recipients(app: app, numbers: all) },
    value("ids") { try await $0.deviceIDs(app: app, numbers: all) },
    text("people") { try await $0.people(app: app, numbers: all) },
    text("open hours") { try await $0.openHours(app: app, numbers: all) },
    list("devices with an event") { store in
      try await store.devices(
        withEvent: "play", since: Timestamp(milliseconds: 0), among: all, app: app)
    },
    text("changes") { try await $0.changes(app: app, after: 0, limit: 99) },
    value("audience") { try await $0.audience("filtered", app: app) },
    list("audiences") { try await $0.audiences(app: app, after: nil, limit: 9).elements },
    list("inbox") { store in
      try await store.inbox(device: "kept-0", app: app, at: now, after: nil, limit: 9).elements
    },
    list("messages") { try await $0.messages(app: app, after: nil, limit: 9).elements },
    list("devices of a message") { try await $0.devices(ofMessage: "kept-few", app: app) },
    text("readers") { try await $0.readers(of: "kept-message", app: app) },
    value("impressions") { try await $0.impressions(of: "kept-message", app: app) },
    value("activity") { try await $0.activity("order", app: app, at: now) },
    list("activities") { try await $0.activities(app: app, at: now, limit: 9) },
    list("devices with an activity") { try await $0.devices(with: .activity("order"), app: app) },
    value("kept activity") { try await $0.keptActivity("kept-order", app: app) },
    list("due keepers") { try await $0.dueKeepers(at: now, limit: 9).map { "\($0)" } },
    text("sights") { store in
      guard let kept = try await store.keptActivity("kept-order", app: app) else { return nil }
      return try await store.sights(of: kept, adding: all).sorted { $0.key < $1.key }
    },
    list("budgets") { store in
      try await store.budgets(of: all, app: app, at: now).map { "\($0.key): \($0.value)" }
    },
    list("reload tokens") { try await $0.reloadTokens(of: all, app: app) },
    list("devices with controls") {
      try await $0.devices(withReloads: .controls, kinds: ["lamp"], app: app)
    },
    list("channels") { try await $0.channels(app: app, after: nil, limit: 9).elements },
  ]

  private static let sends: [StoreRead] = [
    value("send") { try await $0.send(send, app: app) },
    value("send to an activity") { try await $0.send("kept-activity", app: app) },
    list("sends") { try await $0.sends(app: app, after: nil, limit: 99).sends },
    list("outcomes") { try await $0.outcomes(of: send, app: app, after: nil).elements },
    text("outcome") { try await $0.outcome(of: send, app: app, device: 1) },
    value("reasons") { try await $0.reasons(of: send, app: app) },
    list("received") { try await $0.received(send, app: app, opened: nil) ?? DeviceNumbers() },
    list("received and opened") {
      try await $0.received(send, app: app, opened: true) ?? DeviceNumbers()
    },
    value("targeted") { try await $0.isTargeted(1, by: send, app: app) },
    text("waiting push") { try await $0.waitingPush(to: 1, of: "kept-later", app: app) },
    list("receipts") { store -> [Receipt] in
      guard let device = try await store.device("kept-0", app: app) else { return [] }
      return try await store.receipts(of: send, device: device, app: app)
    },
    list("hours") { try await $0.hours(of: send, app: app) },
    value("media failures") { try await $0.mediaFailures(of: send, app: app) },
    text("template counts") { try await $0.templateCounts(of: send, app: app) },
    value("next batch") { try await $0.nextBatchTime(at: Sample.now) },
    text("pushes that count") { try await $0.pushes(to: 1, app: app) },
    list("capped") { store in
      try await store.capped(
        all, by: [FrequencyCap(most: 1, within: .seconds(60))], app: app, at: now)
    },
  ]

  private static let campaigns: [StoreRead] = [
    value("campaign") { try await $0.campaign("campaign", app: app) },
    list("campaigns") { store in
      try await store.campaigns(app: app, matching: CampaignQuery(), after: nil, limit: 9).elements
    },
    value("document") { try await $0.document(ofCampaign: "campaign", version: 1, app: app) },
    list("runs") { try await $0.runs(ofCampaign: "campaign", app: app, before: nil, limit: 9) },
    value("run") { try await $0.run("run-campaign", app: app) },
    list("due runs") { try await $0.dueRuns(at: now + .seconds(9999), limit: 9) },
    list("sends of a run") { try await $0.sends(ofRun: "run-campaign", app: app) },
    list("campaigns by id") { try await $0.campaigns(["campaign"], app: app) },
    list("last runs") { try await $0.lastRuns(ofCampaigns: ["campaign"], app: app) },
    list("runs in a state") { store in
      try await store.runs(app: app, in: RunLifecycle.State.allCases, limit: 9)
    },
    list("runs by time") { store in
      try await store.runs(
        app: app, plannedIn: Timestamp(milliseconds: 0)..<now + .seconds(9999), limit: 9)
    },
    list("rest") { try await $0.devices(.rest, ofRun: "run-campaign", app: app) },
    text("live triggers") { try await $0.liveTriggers() },
    text("enrollment counts") {
      try await $0.enrollmentCounts(ofCampaign: "kept-triggered", app: app)
    },
    text("enrollment") { store in
      try await store.enrollment(of: .device("kept-0"), inCampaign: "kept-triggered", app: app)
    },
    list("seen") { store in
      guard let trigger = try await store.liveTriggers().first else { return DeviceNumbers() }
      return try await store.seen(by: trigger)
    },
  ]

  private static let people: [StoreRead] = [
    list("accounts") { try await $0.accounts() },
    value("account") { try await $0.account("ada") },
    value("account of a link") { try await $0.account(link: [1], at: now) },
    list("sessions") { try await $0.sessions(of: "ada", at: now) },
    text("session") { try await $0.session(hash: [2], at: now) },
    list("passkeys") { try await $0.passkeys(of: "ada") },
    value("account of an identity") {
      try await $0.account(AccountIdentity(issuer: "i", subject: "s"))
    },
  ]
}
