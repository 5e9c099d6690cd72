import PushModel
import Testing

@testable import PushServer

@Suite("Who may do what to whose account")
struct AuthorityTests {
  private static let here = "here"
  private static let there = "there"

  private static func account(_ id: String, _ grants: [Account.Grant]) -> Account {
    Account(
      id: id, email: "\(id)@example.com", name: "", grants: grants,
      createdAt: Timestamp(milliseconds: 0))
  }

  private static let targets: [(name: String, account: Account)] = [
    ("here", account("1", [.init(.author, app: here)])),
    ("admin here", account("2", [.init(.admin, app: here)])),
    ("there", account("3", [.init(.author, app: there)])),
    ("both", account("4", [.init(.viewer, app: here), .init(.viewer, app: there)])),
    ("all", account("5", [.init(.viewer, app: nil)])),
    ("nowhere", account("6", [])),
  ]

  /// The changes by a letter each: the role here, in another app and in all apps, the link, the sessions, the second
  /// factor, the passkeys, and the account.
  private static let changes: [(letter: Character, change: Authority.Change)] = [
    ("h", .role(app: here)), ("t", .role(app: there)), ("a", .role(app: nil)), ("l", .link),
    ("s", .endSessions), ("f", .removeSecondFactor), ("p", .removePasskeys), ("r", .remove),
  ]

  private static let everything = "htalsfpr"
  /// What each actor may do to each target, in their order, and to the own account.
  private static let table: [(actor: Authority, others: [String], own: String)] = [
    (.commandLine, Array(repeating: everything, count: 6), everything),
    (
      Authority(.key("server"), scope: .allApps), Array(repeating: everything, count: 6),
      everything
    ),
    (
      Authority(.account("me"), scope: .allApps), Array(repeating: everything, count: 6), "s"
    ),
    (
      Authority(.account("me"), scope: .app(here)), ["hlsfpr", "hlsfpr", "h", "h", "h", "h"], "s"
    ),
    (
      Authority(.key("admin"), scope: .app(here)), ["hlsfpr", "hlsfpr", "h", "h", "h", "h"],
      "hlsfpr"
    ),
    (
      Authority(.account("me"), scope: .app(there)), ["t", "t", "tlsfpr", "t", "t", "t"], "s"
    ),
    (Authority(.account("me"), scope: nil), Array(repeating: "", count: 6), ""),
    (Authority(.key("push"), scope: nil), Array(repeating: "", count: 6), ""),
  ]

  @Test("the matrix of actors, targets and changes")
  func matrix() {
    let own = Self.account("me", [.init(.admin, app: Self.here)])
    var (asked, allowed) = (0, 0)
    for row in Self.table {
      let cells = Array(zip(Self.targets, row.others)) + [((name: "own", account: own), row.own)]
      for (target, letters) in cells {
        for (letter, change) in Self.changes {
          let refusal = row.actor.refusal(of: change, to: target.account)
          #expect(
            (refusal == nil) == letters.contains(letter),
            "\(row.actor) \(change) \(target.name): \(String(describing: refusal))")
          asked += 1
          allowed += refusal == nil ? 1 : 0
        }
      }
    }
    #expect(asked == 448)
    #expect(allowed == 212)
  }

  @Test("the page refuses each change of the own account for its own reason")
  func ownReasons() {
    let me = Authority(.account("me"), scope: .allApps)
    let own = Self.account("me", [.init(.admin, app: nil)])
    for change in [Authority.Change.role(app: nil), .role(app: Self.here), .remove] {
      #expect(me.refusal(of: change, to: own) == .ownRole)
    }
    for change in [Authority.Change.link, .removeSecondFactor, .removePasskeys] {
      #expect(me.refusal(of: change, to: own) == .ownCredential)
    }
  }

  @Test("a role manages where the table of permissions says so", arguments: Account.Role.allCases)
  func roles(role: Account.Role) {
    for app in [Self.here, nil] {
      let account = Self.account("1", [.init(role, app: app)])
      let manages = role.permissions.contains(.manage)
      #expect(account.manages(.app(Self.here)) == manages)
      #expect(account.manages(.app(Self.there)) == (manages && app == nil))
      #expect(account.managesAllApps == (manages && app == nil))
    }
  }

  @Test("a key manages where the table of permissions says so", arguments: APIKey.Role.allCases)
  func keys(role: APIKey.Role) {
    let app = role.isOfServer ? nil : Self.here
    let key = APIKey.make(role: role, app: app, at: Timestamp(milliseconds: 0)).record
    #expect(key.manages(.app(Self.here)) == role.permissions.contains(.manage))
    #expect(key.manages(.app(Self.there)) == (role == .server))
    #expect(key.manages(.allApps) == (role == .server))
  }
}
