import PushModel
import PushPayload
import Testing

/// A test of one behaviour of every store, on a store with empty queues.
///
/// Each makes an app of its own, so that all can run one after the other on one store.
struct StoreBehaviour: Sendable, CustomTestStringConvertible {
  var name: String
  var check: @Sendable (any PushStore) async throws -> Void

  init(_ name: String, _ check: @escaping @Sendable (any PushStore) async throws -> Void) {
    self.name = name
    self.check = check
  }

  var testDescription: String { name }
}

/// The behaviours that every store must have.
let storeConformance: [StoreBehaviour] =
  appBehaviours + identityBehaviours + deviceBehaviours + deviceLogBehaviours + eventBehaviours
  + filterBehaviours
  + sendBehaviours + orderBehaviours + queueBehaviours + classBehaviours + guardBehaviours
  + outcomeBehaviours
  + messageBehaviours + inboxBehaviours + reportBehaviours + auditBehaviours
  + attributionBehaviours
  + webhookBehaviours
  + retentionBehaviours + uploadBehaviours + sessionBehaviours + accountBehaviours
  + authorityBehaviours
  + activityBehaviours + keeperBehaviours + reloadBehaviours
  + campaignBehaviours + scheduleBehaviours + limitBehaviours + capBehaviours + enrollmentBehaviours
  + templateBehaviours
  + fileImportBehaviours + personBehaviours
  // The last ones: with a mark in the store, values that others seal are refused.
  + secretBehaviours

/// Checks the behaviours on one store, one after the other, and records those that fail.
///
/// - Parameters:
///   - store: The store, whose queues are empty.
///   - part: Which part of the behaviours to check, from 0.
///   - parts: The number of parts, for stores that take longer with all behaviours than a test may take.
func checkConformance(of store: any PushStore, part: Int = 0, of parts: Int = 1) async {
  for (place, behaviour) in storeConformance.enumerated() where place % parts == part {
    do { try await behaviour.check(store) } catch {
      Issue.record(
        error, "\(behaviour.name): \(String(describing: (error as? StoreError)?.cause))")
    }
  }
}

/// An app in a store, with the steps that many behaviours share.
struct StoreFixture: Sendable {
  let store: any PushStore
  let app: String

  init(_ store: any PushStore, _ app: String) async throws {
    self.store = store
    self.app = app
    try await store.add(Sample.app(app), keys: [])
  }

  /// The fixture of an app that the store has.
  init(existing store: any PushStore, _ app: String) {
    self.store = store
    self.app = app
  }

  /// Imports devices `app-0`, `app-1`, …
  func register(_ count: Int) async throws {
    let devices = (0..<count).map { number in
      ImportedDevice(
        id: "\(app)-\(number)", token: String(0x1_0000 + number, radix: 16), patch: DevicePatch())
    }
    try await store.importDevices(devices, app: app, at: Sample.now)
  }

  /// How often the event `play` was counted on a device.
  func plays(_ device: String) async throws -> Int? {
    let device = try await store.device(device, app: app)
    return device?.events["play"]?.count
  }

  @discardableResult
  func update(
    _ id: String, at now: Timestamp = Sample.now, _ edit: (inout DevicePatch) -> Void = { _ in }
  ) async throws -> Device {
    var patch = DevicePatch()
    edit(&patch)
    return try await store.update(device: id, app: app, patch, at: now)
  }

  /// Accepts a send to every device that can get one.
  @discardableResult
  func accept(_ id: String, _ edit: (inout Send) -> Void = { _ in }) async throws -> Send {
    var send = Sample.send(id, app: app, audience: "\(app)-all")
    edit(&send)
    let devices = try await store.devices(app: app, above: nil, limit: .max).filter { device in
      device.token != nil && device.isPushEnabled && device.platform == "iOS"
        && device.uninstalledAt == nil
    }
    let segment = Segment(
      dueAt: send.scheduledAt ?? send.createdAt, devices: DeviceNumbers(devices.map(\.number)))
    return try await store.accept(
      send, to: Sample.audience("\(app)-all", app: app), segments: [segment])
  }

  func lease(
    at now: Timestamp = Sample.now, owner: String = "a", of sendClass: SendClass? = nil,
    after lastApp: Int64 = 0
  ) async throws -> Batch? {
    try await store.leaseBatch(
      LeaseRequest(
        owner: owner, of: sendClass, after: lastApp, at: now, until: now + .seconds(60)))
  }

  func finish(
    _ batch: Batch, _ outcomes: [Outcome]? = nil, retryAt: Timestamp = Sample.now,
    at now: Timestamp = Sample.now
  ) async throws {
    let all = DeviceNumbers(batch.targets.map(\.number))
    try await store.finish(
      batch, outcomes: outcomes ?? batch.targets.map { Self.outcome($0) },
      retries: [Retry(all, dueAt: retryAt)], alarm: nil, at: now)
  }

  /// Finishes every due batch with success.
  func drain(at now: Timestamp = Sample.now) async throws {
    while let batch = try await lease(at: now) { try await finish(batch, at: now) }
  }

  func send(_ id: String) async throws -> Send {
    try #require(try await store.send(id, app: app))
  }

  static func outcome(_ target: Batch.Target, _ result: Outcome.Result = .sent) -> Outcome {
    let (status, reason): (Int, String?) =
      switch result {
      case .sent: (200, nil)
      case .rejected: (400, "BadDeviceToken")
      case .uninstalled: (410, "Unregistered")
      }
    return Outcome(
      device: target.number, result: result, status: status, reason: reason, time: Sample.now,
      token: target.token)
  }
}

/// Expects a call to throw a store's error with a code.
func expect(
  _ code: StoreError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async {
  do {
    try await body()
    Issue.record("no error was thrown", sourceLocation: sourceLocation)
  } catch {
    #expect((error as? StoreError)?.code == code, "\(error)", sourceLocation: sourceLocation)
  }
}
