import PushModel
import PushPayload
import Testing

private let hour = Duration.seconds(3600)
private let (here, there) = ("authority-here", "authority-there")

private func account(_ id: String, _ grants: [Account.Grant]) -> Account {
  Account(
    id: id, email: "\(id)@example.com", name: "", grants: grants, createdAt: Sample.now)
}

private func link(_ account: String, by maker: Authority) -> AccountLink {
  AccountLink(
    hash: Array("link of \(account)".utf8), account: account, by: maker,
    expiresAt: Sample.now + hour)
}

private struct LinkCase: Sendable {
  var name: String
  /// Who makes the link, by the word that the ids of the case begin with.
  var maker: @Sendable (String) -> Authority
  var makersGrants: [Account.Grant] = []
  var makersKey: APIKey.Role?
  /// The roles of the person whose link it is.
  var grants: [Account.Grant] = [.init(.author, app: here)]
  /// What happens before the link is used.
  var event: @Sendable (any PushStore, String) async throws -> Void = { _, _ in }
  var works = false
}

private let person: @Sendable (String) -> Authority = {
  Authority(.account("\($0)-maker"), scope: .app(here))
}
private let global: @Sendable (String) -> Authority = {
  Authority(.account("\($0)-maker"), scope: .allApps)
}
private let keyOfApp: @Sendable (String) -> Authority = {
  Authority(.key("\($0)-key"), scope: .app(here))
}
private let hereAdmin = [Account.Grant(.admin, app: here)]
private let allAdmin = [Account.Grant(.admin, app: nil)]

/// What happens to the maker or the target of a link, and whether it opens the account then.
private let linkCases: [LinkCase] = [
  LinkCase(name: "cli", maker: { _ in .commandLine }, works: true),
  LinkCase(name: "cli-all", maker: { _ in .commandLine }, grants: allAdmin, works: true),
  LinkCase(name: "app", maker: person, makersGrants: hereAdmin, works: true),
  LinkCase(name: "all", maker: global, makersGrants: allAdmin, grants: allAdmin, works: true),
  LinkCase(name: "key", maker: keyOfApp, makersKey: .admin, works: true),
  LinkCase(
    name: "same-role", maker: person, makersGrants: hereAdmin,
    event: { store, name in
      _ = try await store.setRole(.author, app: here, of: name, by: .commandLine, at: Sample.now)
    },
    works: true),
  // The person has more rights than the maker could give.
  LinkCase(
    name: "raised-all", maker: person, makersGrants: hereAdmin,
    event: { store, name in
      _ = try await store.setRole(.admin, app: nil, of: name, by: .commandLine, at: Sample.now)
    }),
  LinkCase(
    name: "raised-there", maker: person, makersGrants: hereAdmin,
    event: { store, name in
      _ = try await store.setRole(.viewer, app: there, of: name, by: .commandLine, at: Sample.now)
    }),
  LinkCase(
    name: "raised-here", maker: person, makersGrants: hereAdmin,
    event: { store, name in
      _ = try await store.setRole(.admin, app: here, of: name, by: .commandLine, at: Sample.now)
    }),
  LinkCase(
    name: "no-role", maker: person, makersGrants: hereAdmin,
    event: { store, name in
      _ = try await store.setRole(nil, app: here, of: name, by: .commandLine, at: Sample.now)
    }),
  LinkCase(
    name: "cli-raised", maker: { _ in .commandLine },
    event: { store, name in
      _ = try await store.setRole(.admin, app: nil, of: name, by: .commandLine, at: Sample.now)
    }),
  LinkCase(
    name: "was-elsewhere", maker: person, makersGrants: hereAdmin,
    grants: [.init(.author, app: here), .init(.viewer, app: there)]),
  // The maker has fewer rights than before.
  LinkCase(
    name: "removed", maker: person, makersGrants: hereAdmin,
    event: { store, name in _ = try await store.removeAccount("\(name)-maker") }),
  LinkCase(
    name: "demoted", maker: person, makersGrants: hereAdmin,
    event: { store, name in
      _ = try await store.setRole(
        .approver, app: here, of: "\(name)-maker", by: .commandLine, at: Sample.now)
    }
  ),
  LinkCase(
    name: "moved", maker: person, makersGrants: hereAdmin,
    event: { store, name in
      _ = try await store.setRole(
        .admin, app: there, of: "\(name)-maker", by: .commandLine, at: Sample.now)
      _ = try await store.setRole(
        nil, app: here, of: "\(name)-maker", by: .commandLine, at: Sample.now)
    }),
  LinkCase(
    name: "narrowed", maker: global, makersGrants: allAdmin,
    event: { store, name in
      _ = try await store.setRole(
        .admin, app: here, of: "\(name)-maker", by: .commandLine, at: Sample.now)
      _ = try await store.setRole(
        nil, app: nil, of: "\(name)-maker", by: .commandLine, at: Sample.now)
    }),
  LinkCase(name: "never-admin", maker: person, makersGrants: [.init(.approver, app: here)]),
  LinkCase(name: "own", maker: { Authority(.account($0), scope: .app(here)) }, grants: hereAdmin),
  LinkCase(name: "push-key", maker: keyOfApp, makersKey: .push),
  LinkCase(
    name: "revoked", maker: keyOfApp, makersKey: .admin,
    event: { store, name in _ = try await store.revokeKey("\(name)-key", app: here) }),
]

let authorityBehaviours: [StoreBehaviour] = [
  StoreBehaviour("a link opens what its maker manages when it is used, and nothing else") { store in
    for id in [here, there] { try await store.add(Sample.app(id), keys: []) }
    var works = 0
    for one in linkCases {
      let name = "authority-\(one.name)"
      if !one.makersGrants.isEmpty {
        let maker = account("\(name)-maker", one.makersGrants)
        try await store.add(maker, link: link(maker.id, by: .commandLine))
      }
      if let role = one.makersKey {
        var key = Sample.key(200, app: here)
        (key.id, key.hash, key.role) = ("\(name)-key", Array("key of \(name)".utf8), role)
        try await store.add(key)
      }
      let made = link(name, by: one.maker(name))
      try await store.add(account(name, one.grants), link: made)
      try await one.event(store, name)
      let shown = try await store.account(link: made.hash, at: Sample.now)
      let used = try await store.redeem(
        link: made.hash, name: "Ada", with: .password("p"), at: Sample.now)
      #expect((shown != nil) == one.works && (used != nil) == one.works, "\(one.name)")
      #expect(try await store.account(name)?.password == (one.works ? "p" : nil), "\(one.name)")
      works += one.works ? 1 : 0
    }
    #expect(works == 6 && linkCases.count == 20)
  },
  StoreBehaviour("a link of a key is void once the key has expired") { store in
    let app = "authority-short"
    try await store.add(Sample.app(app), keys: [])
    var key = Sample.key(250, app: app)
    (key.id, key.hash, key.role) = ("authority-short", Array("key of \(app)".utf8), .admin)
    key.limits.expiresAt = Sample.now + .seconds(60)
    try await store.add(key)
    let made = link("authority-late", by: Authority(.key(key.id), scope: .app(app)))
    try await store.add(account("authority-late", [.init(.author, app: app)]), link: made)
    let end = Sample.now + .seconds(60)
    #expect(try await store.account(link: made.hash, at: end + .milliseconds(-1)) != nil)
    #expect(try await store.account(link: made.hash, at: end) == nil)
  },
  StoreBehaviour("a higher role ends credentials whose maker could not give it now") { store in
    for id in [here, there] where try await store.app(id) == nil {
      try await store.add(Sample.app(id), keys: [])
    }
    func joined(
      _ id: String, by maker: Authority, _ grants: [Account.Grant] = [.init(.author, app: here)]
    ) async throws {
      let made = link(id, by: maker)
      try await store.add(account(id, grants), link: made)
      _ = try await store.redeem(
        link: made.hash, name: "Ada", with: .password("p"), at: Sample.now)
    }
    try await joined("known-maker", by: .commandLine, hereAdmin)
    let maker = Authority(.account("known-maker"), scope: .app(here))
    let cases: [(Authority, Account.Role?, String?, Bool)] = [
      (maker, .approver, here, true), (maker, .admin, here, true), (maker, .viewer, here, true),
      (maker, .viewer, there, false), (maker, .viewer, nil, false), (maker, .admin, nil, false),
      (.commandLine, .admin, nil, true), (maker, nil, here, true),
    ]
    for (number, (by, role, app, stays)) in cases.enumerated() {
      let id = "known-\(number)"
      try await joined(id, by: by)
      try await store.setSecondFactor(
        SecondFactor(sealedSecret: [1], lastStep: 1, recoveryCodes: [[2]]), of: id)
      let changed = try await store.setRole(
        role, app: app, of: id, by: .commandLine, at: Sample.now)
      #expect(changed?.hasNotJoined == !stays, "\(number)")
      #expect((changed?.secondFactor != nil) == stays, "\(number)")
      #expect(try await store.recoveryCodeCount(of: id) == (stays ? 1 : 0), "\(number)")
      _ = try await store.removeAccount(id)
    }
    // A password stays the maker's however often its person changes it, and goes with the maker's rights.
    try await joined("known-changed", by: maker)
    #expect(
      try await store.changePassword(of: "known-changed", from: "p", to: "q", keeping: []))
    _ = try await store.removeAccount("known-maker")
    let lowered = try await store.setRole(
      .viewer, app: here, of: "known-changed", by: .commandLine, at: Sample.now)
    #expect(lowered?.password == "q")
    let raised = try await store.setRole(
      .author, app: here, of: "known-changed", by: .commandLine, at: Sample.now)
    #expect(raised?.hasNotJoined == true)
    // Who never used a link was vouched for by the provider.
    try await store.add(account("known-vouched", []), link: link("known-vouched", by: maker))
    let identity = AccountIdentity(issuer: "https://id.example", subject: "known-vouched")
    #expect(try await store.connect(identity, to: "known-vouched", name: nil) == nil)
    let vouched = try await store.setRole(
      .admin, app: nil, of: "known-vouched", by: .commandLine, at: Sample.now)
    #expect(vouched?.isConnected == true)
  },
  StoreBehaviour("a sign-in that was checked before a change of its account opens no session") {
    store in
    let changes: [@Sendable (any PushStore, String) async throws -> Void] = [
      { store, id in
        _ = try await store.setRole(
          .admin, app: nil, of: id, by: .commandLine, at: Sample.now)
      },
      { store, id in
        _ = try await store.changePassword(of: id, from: "p", to: "q", keeping: [])
      },
      { store, id in
        try await store.setSecondFactor(
          SecondFactor(sealedSecret: [1], lastStep: 1, recoveryCodes: []), of: id)
      },
      { store, id in
        _ = try await store.add(
          Passkey(
            id: Array(id.utf8), account: id, publicKey: [4], signatureCount: 1, name: "key",
            createdAt: Sample.now), in: Array("\(id) early".utf8))
      },
      { store, id in
        _ = try await store.connect(
          AccountIdentity(issuer: "https://id.example", subject: id), to: id, name: nil)
      },
      { store, id in _ = try await store.removeAccount(id) },
    ]
    for (number, change) in changes.enumerated() {
      let id = "late-\(number)"
      let made = link(id, by: .commandLine)
      try await store.add(account(id, [.init(.author, app: here)]), link: made)
      let checked = try #require(
        try await store.redeem(
          link: made.hash, name: "Ada", with: .password("p"), at: Sample.now))
      func session(_ name: String) -> AccountSession {
        AccountSession(
          hash: Array("\(id) \(name)".utf8), account: id, isConfirmed: true,
          createdAt: Sample.now, expiresAt: Sample.now + hour, address: "::1", agent: "")
      }
      #expect(try await store.add(session("early"), of: checked) == nil)
      try await change(store, id)
      let isRemoved = try await store.account(id) == nil
      #expect(
        try await store.add(session("late"), of: checked) == (isRemoved ? .noAccount : .changed),
        "\(number)")
      #expect(
        try await store.session(hash: session("late").hash, at: Sample.now) == nil, "\(number)")
      _ = try await store.removeAccount(id)
    }
  },
  StoreBehaviour("a link of another maker ends the other way to sign in, too") { store in
    var key = Sample.key(201, app: nil)
    (key.id, key.hash, key.role) = ("another", Array("another".utf8), .server)
    try await store.add(key)
    for (number, (second, stays)) in [
      (Authority.commandLine, true), (Authority(.key("another"), scope: .allApps), false),
    ].enumerated() {
      for isProvider in [true, false] {
        let id = "two-links-\(number)-\(isProvider)"
        let identity = AccountIdentity(issuer: "https://id.example", subject: id)
        let first = link(id, by: .commandLine)
        try await store.add(account(id, [.init(.author, app: here)]), link: first)
        _ = try await store.redeem(
          link: first.hash, name: "Ada",
          with: isProvider ? .password("p") : .identity(identity), at: Sample.now)
        let made = link(id, by: second)
        #expect(try await store.add(made))
        let used = try await store.redeem(
          link: made.hash, name: "Ada", with: isProvider ? .identity(identity) : .password("p"),
          at: Sample.now)
        let both = try #require(used, "\(id)")
        #expect((both.password != nil && both.isConnected) == stays, "\(id)")
        #expect(isProvider ? both.isConnected : both.password != nil, "\(id)")
        _ = try await store.removeAccount(id)
      }
    }
  },
  StoreBehaviour("who may not make a new link removes nobody's credentials with a role") { store in
    for id in [here, there] where try await store.app(id) == nil {
      try await store.add(Sample.app(id), keys: [])
    }
    func joined(_ id: String, _ grants: [Account.Grant], by maker: Authority) async throws {
      let made = link(id, by: maker)
      try await store.add(account(id, grants), link: made)
      _ = try await store.redeem(
        link: made.hash, name: "Ada", with: .password("p"), at: Sample.now)
    }
    try await joined("giver-here", hereAdmin, by: .commandLine)
    try await joined("giver-there", [.init(.admin, app: there)], by: .commandLine)
    try await joined(
      "taker", [.init(.author, app: here)],
      by: Authority(.account("giver-here"), scope: .app(here)))
    let other = Authority(.account("giver-there"), scope: .app(there))
    await expect(.refused) {
      _ = try await store.setRole(.viewer, app: there, of: "taker", by: other, at: Sample.now)
    }
    let kept = try #require(try await store.account("taker"))
    #expect(kept.password == "p" && kept.grants == [.init(.author, app: here)])
    // A role that the person has in all apps already raises nobody.
    try await joined("boss", allAdmin, by: .commandLine)
    try await joined("head", allAdmin, by: Authority(.account("boss"), scope: .allApps))
    _ = try await store.removeAccount("boss")
    let given = try await store.setRole(
      .viewer, app: there, of: "head", by: other, at: Sample.now)
    #expect(given?.grants.count == 2 && given?.password == "p")
    for id in ["giver-here", "giver-there", "taker", "head"] {
      _ = try await store.removeAccount(id)
    }
  },
  StoreBehaviour("another role, and an app that is deleted, end links and sessions") { store in
    try await store.add(Sample.app("authority-gone"), keys: [])
    for (id, change) in [
      (
        "authority-changed",
        { @Sendable (store: any PushStore) in
          _ = try await store.setRole(
            .viewer, app: nil, of: "authority-changed", by: .commandLine, at: Sample.now)
        }
      ),
      (
        "authority-deleted",
        { @Sendable (store: any PushStore) in _ = try await store.deleteApp("authority-gone") }
      ),
    ] {
      let made = link(id, by: .commandLine)
      try await store.add(
        account(id, [.init(.author, app: "authority-gone"), .init(.author, app: there)]),
        link: made)
      try await store.add(
        AccountSession(
          hash: Array(id.utf8), account: id, isConfirmed: true, createdAt: Sample.now,
          expiresAt: Sample.now + hour, address: "::1", agent: ""))
      #expect(try await store.sessions(of: id, at: Sample.now).count == 1)
      try await change(store)
      #expect(try await store.sessions(of: id, at: Sample.now).isEmpty, "\(id)")
      #expect(try await store.account(link: made.hash, at: Sample.now) == nil, "\(id)")
    }
  },
  StoreBehaviour("the budget of tests is of one actor and one hour, and many at once keep it") {
    store in
    func use(
      _ actor: String, _ devices: Int, after time: Duration = .zero
    ) async throws -> Bool {
      // The sample's time need not be the start of an hour.
      let start = Timestamp(milliseconds: Sample.now.milliseconds / 3_600_000 * 3_600_000)
      return try await store.useTestBudget(
        of: actor, devices: devices, limit: 100, at: start + time)
    }
    #expect(try await use("tester", 99))
    #expect(try await !use("tester", 2), "past the limit")
    #expect(try await use("tester", 1), "at the limit")
    #expect(try await !use("tester", 1))
    #expect(try await !use("another", 101))
    #expect(try await use("another", 100))
    #expect(try await !use("tester", 1, after: hour + .milliseconds(-1)))
    #expect(try await use("tester", 100, after: hour))
    #expect(try await !use("tester", 1, after: hour))
    let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<12 {
        group.addTask {
          try await store.useTestBudget(
            of: "many", devices: 10, limit: 100, at: Sample.now + hour * 3)
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(taken == 10)
  },
  StoreBehaviour("where every send needs an approval, two people give it, and no key counts") {
    store in
    let fixture = try await StoreFixture(store, "every-send")
    for id in ["every-ada", "every-bob"] {
      try await store.add(
        account(id, [.init(.approver, app: fixture.app)]), link: link(id, by: .commandLine))
    }
    var limits = AppLimits()
    limits.approval = .everySend
    try await store.setLimits(limits, app: fixture.app)
    #expect(try await store.limits(app: fixture.app) == limits)
    for (number, (submitter, approver, starts)) in [
      ("a-key", "another-key", false), ("a-key", "every-bob", false),
      ("every-ada", "a-key", false), ("every-ada", "every-bob", true),
      ("every-bob", "every-ada", true),
    ].enumerated() {
      let id = "every-\(number)"
      try await store.save(fixture.campaign(id))
      await expect(.conflict) { try await fixture.start(id) }
      for (kind, actor) in [
        (.submit, submitter), (.approve, approver),
      ] as [(CampaignApproval.Event.Kind, String)] {
        _ = try await store.apply(
          CampaignApproval.Event(kind, version: nil, by: actor, at: Sample.now),
          toCampaign: id, app: fixture.app)
      }
      if starts {
        try await fixture.start(id)
      } else {
        await expect(.conflict) { try await fixture.start(id) }
      }
    }
    // The runs that are due now are not those of another behaviour.
    _ = try await store.deleteApp(fixture.app)
  },
]
