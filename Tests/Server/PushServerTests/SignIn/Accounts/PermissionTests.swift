import PushModel
import Testing

@testable import PushServer

@Suite("What each role may do")
struct PermissionTests {
  @Test(
    "a role may do what the table says, and what the role before it may",
    arguments: [
      (Account.Role.viewer, [Permission.see, .seeReports]),
      (.author, [.see, .seeReports, .write, .stop]),
      (.approver, [.see, .seeReports, .write, .stop, .approve]),
      (.admin, Permission.allCases),
    ])
  func roles(role: Account.Role, permissions: [Permission]) throws {
    #expect(role.permissions == Set(permissions))
    let index = try #require(Account.Role.allCases.firstIndex(of: role))
    if index > 0 {
      #expect(role.permissions.isStrictSuperset(of: Account.Role.allCases[index - 1].permissions))
    }
  }

  @Test("a person may in an app what the roles there and those in all apps allow")
  func grants() {
    func account(_ grants: Account.Grant...) -> Account {
      Account(
        id: "a", email: "ada@example.com", name: "Ada", grants: grants,
        createdAt: Timestamp(milliseconds: 0))
    }
    let mixed = account(.init(.viewer, app: nil), .init(.approver, app: "one"))
    #expect(mixed.permissions(in: "one") == Account.Role.approver.permissions)
    #expect(mixed.permissions(in: "two") == Account.Role.viewer.permissions)
    #expect(!mixed.managesAllApps && !mixed.belongs(to: "one"))
    let admin = account(.init(.admin, app: "one"))
    #expect(admin.permissions(in: "two").isEmpty)
    #expect(!admin.managesAllApps && admin.belongs(to: "one") && !admin.belongs(to: "two"))
    #expect(account(.init(.admin, app: nil)).managesAllApps)
    #expect(account().permissions(in: "one").isEmpty && !account().belongs(to: "one"))
  }
}
