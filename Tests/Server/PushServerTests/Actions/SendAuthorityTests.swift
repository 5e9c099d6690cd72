import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("Who may send, change and stop what", .timeLimit(.minutes(10)))
struct SendAuthorityTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var needs: Permission
    var act: @Sendable (Actions, Actor) async throws -> Void

    init(
      _ name: String, _ needs: Permission,
      _ act: @escaping @Sendable (Actions, Actor) async throws -> Void
    ) {
      (self.name, self.needs, self.act) = (name, needs, act)
    }

    var testDescription: String { name }
  }

  private static let notification = BodyValue(["to": "*", "payload": ["alert": "Hi"]])

  static let rows: [Row] = [
    Row("send", .send) { _ = try await $0.sendNotification(notification, by: $1) },
    Row("send a test", .write) { actions, actor in
      let test = try await TestTarget("d", app: actor.ownApp(), at: actions.clock.now(), actions)
      _ = try await actions.sendNotification(notification, asTest: test, by: actor)
    },
    Row("cancel", .stop) { _ = try await $0.cancelNotification("none", by: $1) },
    Row("pause", .stop) { _ = try await $0.pauseNotification("none", by: $1) },
    Row("resume", .approve) { _ = try await $0.resumeNotification("none", by: $1) },
    Row("replay", .send) { _ = try await $0.replayNotification("none", repeating: nil, by: $1) },
    Row("send and wait", .send) {
      _ = try await $0.sendTransactional(BodyValue([:]), isJudged: true, repeating: nil, by: $1)
    },
    Row("publish a message", .send) {
      let message = BodyValue(["to": "*", "title": "Hi"])
      _ = try await $0.publishMessage(message, repeating: nil, by: $1)
    },
    Row("change a message", .send) {
      _ = try await $0.updateMessage("none", to: BodyValue(["title": "Hi"]), by: $1)
    },
    Row("unpublish a message", .stop) { _ = try await $0.unpublishMessage("none", by: $1) },
    Row("push to an activity", .send) {
      let push = BodyValue(["event": "update", "content_state": [:]])
      _ = try await $0.sendActivityPush(push, to: "match-1", repeating: nil, by: $1)
    },
    Row("keep an activity", .send) {
      let activity = BodyValue(["type": "Match", "content_state": [:]])
      _ = try await $0.keepActivity(activity, id: "match-1", by: $1)
    },
    Row("reload widgets", .send) {
      _ = try await $0.sendReload(BodyValue(["type": "widgets", "targets": "*"]), by: $1)
    },
    Row("create a channel", .send) {
      _ = try await $0.createChannel(BodyValue(["storage": "none"]), by: $1)
    },
    Row("delete a channel", .send) { _ = try await $0.deleteChannel("none", by: $1) },
    Row("save a template", .write) {
      _ = try await $0.saveTemplate(BodyValue(["alert": "Hi"]), as: "a", after: nil, by: $1)
    },
    Row("delete a template", .write) {
      _ = try await $0.deleteTemplate("none", after: nil, by: $1)
    },
    Row("upload", .write) { _ = try await $0.upload([0], by: $1) },
  ]

  /// The code with which an action is refused to an actor with some permissions; `nil` if it is done.
  private func refusal(
    _ row: Row, with permissions: Set<Permission>, _ fixture: Fixture
  ) async throws -> RequestError.Code? {
    let key = APIKey(
      id: "key", app: fixture.app.id, role: .push, hash: [], createdAt: fixture.clock.now)
    let actor = Actor(
      identity: .key(key), app: fixture.app.id, permissions: permissions, address: "127.0.0.1")
    do {
      try await row.act(fixture.router.actions, actor)
      return nil
    } catch let error as RequestError {
      return error.code
    }
  }

  @Test("each action is refused without its permission, and needs no other", arguments: rows)
  func permission(row: Row) async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let others = Set(Permission.allCases).subtracting([row.needs])
    #expect(try await refusal(row, with: others, fixture) == .forbidden)
    let log = try await fixture.store.audit(app: fixture.app.id, after: nil, limit: 9)
    #expect(log.elements.isEmpty)
    #expect(try await fixture.store.sends(app: fixture.app.id, after: nil, limit: 9).total == 0)
    #expect(try await refusal(row, with: [row.needs], fixture) != .forbidden)
  }
}
