import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The rights to change apps, keys, people and the own account", .timeLimit(.minutes(10)))
struct AppRightsTests {
  /// A change, which may also fail because of what it asks for.
  struct Change: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Whether only who manages all apps may make it.
    var isOfServer = false
    /// Makes it for an app with a person by this id.
    var make: @Sendable (Actions, _ person: String, Actor) async throws -> Void

    func refusal(
      by actor: Actor, of person: String = "", _ actions: Actions
    ) async throws -> RequestError? {
      do {
        try await make(actions, person, actor)
        return nil
      } catch let error as RequestError {
        return error
      }
    }
  }

  static let changes = [
    Change(testDescription: "add an app", isOfServer: true) { actions, _, actor in
      _ = try await actions.addApp(BodyValue([:]), by: actor)
    },
    Change(testDescription: "delete the app", isOfServer: true) { actions, _, actor in
      try await actions.deleteApp(by: actor)
    },
    Change(testDescription: "change the app") { actions, _, actor in
      _ = try await actions.changeApp(BodyValue([:]), by: actor)
    },
    Change(testDescription: "set the icon") { actions, _, actor in
      try await actions.setIcon([], by: actor)
    },
    Change(testDescription: "remove the icon") { actions, _, actor in
      try await actions.removeIcon(by: actor)
    },
    Change(testDescription: "make a key") { actions, _, actor in
      _ = try await actions.makeKey(BodyValue(["role": "push"]), by: actor)
    },
    Change(testDescription: "revoke a key") { actions, _, actor in
      try await actions.revokeKey("none", by: actor)
    },
    Change(testDescription: "add an identity key") { actions, _, actor in
      _ = try await actions.addIdentityKey(BodyValue([:]), by: actor)
    },
    Change(testDescription: "remove an identity key") { actions, _, actor in
      try await actions.removeIdentityKey("none", by: actor)
    },
    Change(testDescription: "add a webhook") { actions, _, actor in
      _ = try await actions.addWebhook(BodyValue([:]), by: actor)
    },
    Change(testDescription: "delete a webhook") { actions, _, actor in
      try await actions.deleteWebhook("none", by: actor)
    },
    Change(testDescription: "invite") { actions, _, actor in
      _ = try await actions.invite(
        "eve@example.com", name: "", as: .viewer, inAllApps: false, by: actor)
    },
    Change(testDescription: "invite to all apps", isOfServer: true) { actions, _, actor in
      _ = try await actions.invite(
        "eve@example.com", name: "", as: .viewer, inAllApps: true, by: actor)
    },
    Change(testDescription: "set a role") { actions, person, actor in
      _ = try await actions.setRole(.admin, inAllApps: false, of: person, by: actor)
    },
    Change(testDescription: "make a link") { actions, person, actor in
      _ = try await actions.makeLink(for: person, by: actor)
    },
    Change(testDescription: "end sessions") { actions, person, actor in
      _ = try await actions.endSessions(of: person, by: actor)
    },
    Change(testDescription: "remove a second factor") { actions, person, actor in
      _ = try await actions.removeSecondFactor(of: person, by: actor)
    },
    Change(testDescription: "remove passkeys") { actions, person, actor in
      _ = try await actions.removePasskeys(of: person, by: actor)
    },
    Change(testDescription: "remove an account") { actions, person, actor in
      _ = try await actions.removeAccount(person, by: actor)
    },
  ]

  /// The actors without the right first, because the others may remove what they ask for.
  private static func actors(_ fixture: Fixture) -> [(actor: Actor, name: String)] {
    let app = fixture.app.id
    let keys = APIKey.Role.allCases.map { role in
      let key = APIKey.make(
        role: role, app: role.isOfServer ? nil : app, at: fixture.clock.now
      ).record
      return (
        Actor(
          identity: .key(key), app: app, permissions: role.permissions, address: "127.0.0.1"),
        "\(role) key"
      )
    }
    let people = Account.Role.allCases.flatMap { role in
      [app, nil].map { scope in
        let account = Account(
          id: "\(role)", email: "x@example.com", name: "", grants: [.init(role, app: scope)],
          createdAt: fixture.clock.now)
        return (
          Actor(
            identity: .person(Person(account)), app: app, permissions: role.permissions,
            address: "127.0.0.1"),
          "\(role) of \(scope ?? "all apps")"
        )
      }
    }
    return (keys + people).sorted { $0.0.permissions.count < $1.0.permissions.count }
  }

  @Test("a change is refused to who has no right, wherever it is asked for", arguments: changes)
  func judged(change: Change) async throws {
    let fixture = try await Fixture()
    fixture.router.actions.listens(at: "http://127.0.0.1")
    let bob = try await DashboardClient.join(
      "bob@example.com", .author, app: fixture.app.id, fixture, name: "Bob")
    for (actor, name) in Self.actors(fixture) {
      let isAdmitted = change.isOfServer ? actor.managesAllApps : actor.may(.manage)
      let refusal = try await change.refusal(by: actor, of: bob.id, fixture.router.actions)
      #expect((refusal?.code == .forbidden) == !isAdmitted, "\(name): \(refusal?.message ?? "")")
    }
  }

  // MARK: The own account

  /// A change that a person makes of the own account.
  struct OwnChange: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var make: @Sendable (Actions, AccountOwner) async throws -> Void
  }

  static let ownChanges = [
    OwnChange(testDescription: "change the password") { actions, owner in
      try await actions.changePassword(
        to: NewPassword(text: "four quite new words", again: "four quite new words"),
        confirmedBy: "wrong", by: owner)
    },
    OwnChange(testDescription: "disconnect the provider") { actions, owner in
      try await actions.disconnectProvider(confirmedBy: "wrong", by: owner)
    },
    OwnChange(testDescription: "set a second factor up") { actions, owner in
      _ = try await actions.offerSecondFactor(confirmedBy: "wrong", by: owner)
    },
    OwnChange(testDescription: "turn the second factor off") { actions, owner in
      try await actions.removeSecondFactor(confirmedBy: "wrong", by: owner)
    },
    OwnChange(testDescription: "ask for a passkey") { actions, owner in
      _ = try await actions.offerPasskey(
        of: RelyingParty("https://push.example"), confirmedBy: "wrong", by: owner)
    },
    OwnChange(testDescription: "remove a passkey") { actions, owner in
      try await actions.removePasskey([1], confirmedBy: "wrong", by: owner)
    },
  ]

  @Test(
    "a change of the own ways to sign in needs the password", arguments: ownChanges)
  func own(change: OwnChange) async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.person("ada@example.com", .admin, fixture)
    let account = try #require(try await fixture.store.account(email: "ada@example.com"))
    let actions = client.router.actions
    let owner = AccountOwner(
      Person(account, session: [1]), from: Visitor(address: "127.0.0.1"))
    for attempt in 1...6 {
      let refusal = await #expect(throws: RequestError.self) {
        try await change.make(actions, owner)
      }
      #expect(refusal?.code == (attempt < 6 ? .invalid : .tooMany))
      #expect(refusal?.path == (attempt < 6 ? "current" : nil))
    }
    #expect(try await fixture.store.account(account.id) == account)
  }
}
