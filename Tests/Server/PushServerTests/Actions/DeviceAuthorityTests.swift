import PushModel
import PushPayload
import Testing

@testable import PushServer

/// Every action of devices and audiences, by actors with and without its permission, and by devices.
@Suite("Who may change devices and audiences", .timeLimit(.minutes(10)))
struct DeviceAuthorityTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var needs: Permission
    var run: @Sendable (Actions, Actor, DeviceClaim?) async throws -> Void

    init(
      _ name: String, _ needs: Permission,
      run: @escaping @Sendable (Actions, Actor, DeviceClaim?) async throws -> Void
    ) {
      (testDescription, self.needs, self.run) = (name, needs, run)
    }
  }

  private static let events = [DeviceEvent(name: "bought")]

  /// The actions that any request with the device key may make for a device without a secret.
  static let reports: [Row] = [
    Row("change a device", .write) { actions, actor, claim in
      let update = try DevicePatchReader(BodyValue(["locale": "en"]))
      _ = try await actions.updateDevice("d", update, claim: claim, by: actor)
    },
    Row("record events of a device", .write) { actions, actor, claim in
      try await actions.recordEvents(events, ofDevice: "d", claim: claim, by: actor)
    },
    Row("record receipts", .manage) { actions, actor, claim in
      let receipt: JSONValue = [
        "id": "r", "notification_id": "n", "device_id": "d", "event": "opened",
        "at": "2023-11-14T22:13:20Z",
      ]
      let receipts = try Receipt.list(BodyValue([receipt]))
      try await actions.recordReceipts(receipts, claim: claim, by: actor)
    },
    Row("sync a device", .manage) { actions, actor, claim in
      let report = try DeviceReport(BodyValue(["events": [["name": "bought"]]]), of: "d")
      _ = try await actions.syncDevice("d", report, claim: claim, by: actor)
    },
  ]

  /// The actions that need the device's secret.
  static let ownActions: [Row] = [
    Row("erase a device", .erase) { actions, actor, claim in
      _ = try await actions.eraseDevice("d", claim: claim, by: actor)
    },
    Row("mark messages", .write) { actions, actor, claim in
      _ = try await actions.markInbox(
        InboxMarks(read: ["m"]), ofDevice: "d", claim: claim, by: actor)
    },
  ]

  /// The actions that no device may make.
  static let others: [Row] = [
    Row("reset a secret", .erase) { actions, actor, _ in
      try await actions.resetSecret(ofDevice: "d", by: actor)
    },
    Row("change a user", .write) { actions, actor, _ in
      _ = try await actions.updateUser("u", attributes: [:], by: actor)
    },
    Row("record events of a user", .write) { actions, actor, _ in
      try await actions.recordEvents(events, ofUser: "u", by: actor)
    },
    Row("import devices", .manage) { actions, actor, _ in
      _ = try await actions.importDevices(as: .csv, by: actor) { nil }
    },
    Row("create an audience", .write) { actions, actor, _ in
      _ = try await actions.createAudience(AudienceChange(name: "A"), by: actor)
    },
    Row("change an audience", .write) { actions, actor, _ in
      _ = try await actions.updateAudience("a", AudienceChange(name: "A"), by: actor)
    },
    Row("delete an audience", .write) { actions, actor, _ in
      try await actions.deleteAudience("a", by: actor)
    },
    Row("restore an audience", .write) { actions, actor, _ in
      _ = try await actions.restoreAudience(undoToken: "", by: actor)
    },
    Row("choose test devices", .write) { actions, actor, _ in
      try await actions.setTestDevice("d", isTest: true, by: actor)
    },
  ]

  /// Whether an action is refused as forbidden; any other error counts as admitted.
  private static func isForbidden(
    _ row: Row, to permissions: Set<Permission>, showing claim: DeviceClaim? = nil,
    _ fixture: Fixture
  ) async throws -> Bool {
    let key = APIKey.make(role: .push, app: fixture.app.id, at: fixture.clock.now).record
    let actor = Actor(
      identity: .key(key), app: fixture.app.id, permissions: permissions, address: "192.0.2.1")
    do {
      try await row.run(fixture.router.actions, actor, claim)
      return false
    } catch let error as RequestError {
      return error.code == .forbidden
    }
  }

  @Test("an action needs its permission and no other", arguments: reports + ownActions + others)
  func permission(row: Row) async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let all = Set(Permission.allCases)
    #expect(try await Self.isForbidden(row, to: all.subtracting([row.needs]), fixture))
    #expect(try await !Self.isForbidden(row, to: [row.needs], fixture))
  }

  enum Shown: CaseIterable {
    case right, wrong, none, ofOtherDevice
  }

  @Test(
    "a device needs its secret, and without one may only report",
    arguments: reports + ownActions, Shown.allCases)
  func claim(row: Row, shown: Shown) async throws {
    let isOwn = Self.ownActions.contains { $0.testDescription == row.testDescription }
    let own: [UInt8] = Array(repeating: 1, count: 32)
    for hasSecret in [true, false] {
      let fixture = try await Fixture()
      let app = fixture.app.id
      for id in ["d", "e"] {
        _ = try await fixture.store.update(
          device: id, app: app, DevicePatch(),
          by: .app(secretHash: hasSecret ? own : nil, deviceLimit: 9), at: fixture.clock.now)
      }
      let id = shown == .ofOtherDevice ? "e" : "d"
      let hash: [UInt8]? =
        switch shown {
        case .right, .ofOtherDevice: own
        case .wrong: Array(repeating: 2, count: 32)
        case .none: nil
        }
      let claim = DeviceClaim(
        secretHash: hash, ids: [id], known: try await fixture.store.owners(of: [id], app: app))
      let isAdmitted =
        switch shown {
        case .right: hasSecret || !isOwn
        case .wrong, .none: !hasSecret && !isOwn
        case .ofOtherDevice: false
        }
      let isForbidden = try await Self.isForbidden(row, to: [], showing: claim, fixture)
      #expect(isForbidden != isAdmitted, "has a secret: \(hasSecret)")
    }
  }
}
