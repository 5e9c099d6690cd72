import PushModel
import PushPayload
import Testing

private let hour = Duration.seconds(3600)

private func person(_ id: String, _ grants: [Account.Grant] = []) -> Account {
  Account(
    id: id, email: "\(id)@example.com", name: "", grants: grants, createdAt: Sample.now)
}

private func link(
  _ byte: UInt8, _ account: String, by maker: Authority = .commandLine
) -> AccountLink {
  AccountLink(
    hash: [UInt8](repeating: byte, count: 32), account: account, by: maker,
    expiresAt: Sample.now + hour)
}

private func session(
  _ byte: UInt8, _ account: String, isConfirmed: Bool = true, at time: Timestamp = Sample.now
) -> AccountSession {
  AccountSession(
    hash: [UInt8](repeating: byte, count: 32), account: account, isConfirmed: isConfirmed,
    createdAt: time, expiresAt: time + hour, address: "192.0.2.1", agent: "Firefox")
}

extension PushStore {
  /// Adds an account whose person has chosen the password "old".
  fileprivate func join(_ id: String, link byte: UInt8) async throws -> Account {
    try await add(person(id, [.init(.author, app: nil)]), link: link(byte, id))
    return try #require(
      try await redeem(
        link: link(byte, id).hash, name: "Ada", with: .password("old"), at: Sample.now))
  }
}

private func passkey(_ byte: UInt8, _ account: String, count: Int64 = 0) -> Passkey {
  Passkey(
    id: [byte, byte], account: account, publicKey: [1, 2, byte], signatureCount: count,
    name: "Phone", createdAt: Sample.now + .seconds(Int64(byte)))
}

let accountBehaviours: [StoreBehaviour] = [
  StoreBehaviour("an account is found by its id and email address, with its roles") { store in
    try await store.add(
      person("a1", [.init(.viewer, app: nil), .init(.admin, app: "x")]), link: link(1, "a1"))
    let found = try await store.account(email: "a1@example.com")
    #expect(found == (try await store.account("a1")))
    #expect(found?.grants == [.init(.viewer, app: nil), .init(.admin, app: "x")])
    #expect(found?.password == nil)
    #expect(try await store.accounts().contains { $0 == found })
    #expect(try await store.account(email: "A1@example.com") == nil)
    await expect(.conflict) {
      var other = person("a1-other")
      other.email = "a1@example.com"
      try await store.add(other, link: link(2, "a1-other"))
    }
    #expect(try await store.account("a1-other") == nil)
    #expect(try await store.account(link: link(2, "").hash, at: Sample.now) == nil)
  },
  StoreBehaviour("a role is given, changed and taken away, in one app and in all") { store in
    try await store.add(person("a2"), link: link(3, "a2"))
    for (role, app, expected) in [
      (.author, "x", [.init(.author, app: "x")]),
      (.viewer, nil, [.init(.viewer, app: nil), .init(.author, app: "x")]),
      (.approver, "x", [.init(.viewer, app: nil), .init(.approver, app: "x")]),
      (nil, nil, [.init(.approver, app: "x")]), (nil, "y", [.init(.approver, app: "x")]),
      (nil, "x", []),
    ] as [(Account.Role?, String?, [Account.Grant])] {
      let changed = try await store.setRole(
        role, app: app, of: "a2", by: .commandLine, at: Sample.now)
      #expect(changed?.grants == expected)
      #expect(try await store.account("a2") == changed)
    }
    #expect(
      try await store.setRole(.admin, app: nil, of: "nobody", by: .commandLine, at: Sample.now)
        == nil)
  },
  StoreBehaviour("a role ends with its app") { store in
    try await store.add(Sample.app("a3-app"), keys: [])
    try await store.add(
      person("a3", [.init(.author, app: "a3-app"), .init(.author, app: "x")]), link: link(4, "a3"))
    try await store.deleteApp("a3-app")
    #expect(try await store.account("a3")?.grants == [.init(.author, app: "x")])
  },
  StoreBehaviour("a link is used once, before it expires, and ends the sessions") { store in
    try await store.add(person("a4"), link: link(5, "a4"))
    try await store.add(session(5, "a4"))
    let hash = link(5, "a4").hash
    let (before, end) = (Sample.now + hour + .milliseconds(-1), Sample.now + hour)
    #expect(try await store.account(link: hash, at: before)?.id == "a4")
    #expect(try await store.account(link: hash, at: end) == nil)
    #expect(try await store.redeem(link: hash, name: "N", with: .password("p"), at: end) == nil)
    let joined = try await store.redeem(link: hash, name: "Ada", with: .password("p"), at: before)
    #expect(joined?.name == "Ada" && joined?.password == "p")
    #expect(
      try await store.redeem(link: hash, name: "Eve", with: .password("q"), at: before) == nil)
    #expect(try await store.account("a4") == joined)
    #expect(try await store.sessions(of: "a4", at: Sample.now).isEmpty)
  },
  StoreBehaviour("a newer link replaces the earlier ones") { store in
    try await store.add(person("a5"), link: link(6, "a5"))
    #expect(try await store.add(link(7, "a5")))
    #expect(try await store.account(link: link(6, "").hash, at: Sample.now) == nil)
    #expect(try await store.account(link: link(7, "").hash, at: Sample.now)?.id == "a5")
    #expect(try await !store.add(link(8, "nobody")))
  },
  StoreBehaviour("of many who use a link at once, one does") { store in
    try await store.add(person("a6"), link: link(9, "a6"))
    let hash = link(9, "a6").hash
    let winners = try await withThrowingTaskGroup(of: Account?.self) { group in
      for number in 0..<8 {
        group.addTask {
          try await store.redeem(
            link: hash, name: "\(number)", with: .password("p\(number)"), at: Sample.now)
        }
      }
      return try await group.reduce(into: [Account]()) { all, one in
        if let one { all.append(one) }
      }
    }
    #expect(winners.count == 1)
    #expect(try await store.account("a6") == winners.first)
  },
  StoreBehaviour("a changed password ends links and other sessions; a rehash ends none") { store in
    _ = try await store.join("a7", link: 10)
    for byte in UInt8(20)..<23 { try await store.add(session(byte, "a7")) }
    #expect(try await store.add(link(11, "a7")))
    try await store.rehashPassword(of: "a7", from: "old", to: "old again")
    try await store.rehashPassword(of: "a7", from: "old", to: "too late")
    #expect(try await store.account("a7")?.password == "old again")
    #expect(try await store.sessions(of: "a7", at: Sample.now).count == 3)
    let kept = session(21, "a7").hash
    #expect(
      try await !store.changePassword(of: "a7", from: "old", to: "new", keeping: kept))
    #expect(try await store.sessions(of: "a7", at: Sample.now).count == 3)
    #expect(
      try await store.changePassword(of: "a7", from: "old again", to: "new", keeping: kept))
    #expect(try await store.account("a7")?.password == "new")
    #expect(try await store.sessions(of: "a7", at: Sample.now).map(\.hash) == [kept])
    #expect(try await store.account(link: link(11, "").hash, at: Sample.now) == nil)
  },
  StoreBehaviour(
    "the attempts to enter a code are those of an account, and a right one is given back"
  ) { store in
    _ = try await store.join("a81", link: 81)
    _ = try await store.join("a82", link: 82)
    for _ in 1...CodeAttempts.limit {
      #expect(try await store.takeCodeAttempt(of: "a81", at: Sample.now) == nil)
    }
    #expect(try await store.takeCodeAttempt(of: "a81", at: Sample.now) == CodeAttempts.interval)
    #expect(try await store.takeCodeAttempt(of: "a82", at: Sample.now) == nil)
    try await store.restoreCodeAttempt(of: "a81")
    #expect(try await store.takeCodeAttempt(of: "a81", at: Sample.now) == nil)
    #expect(try await store.takeCodeAttempt(of: "a81", at: Sample.now) != nil)
    #expect(try await store.takeCodeAttempt(of: "nobody", at: Sample.now) == nil)
  },
  StoreBehaviour("the code of a time step is used once, and none of an earlier step") { store in
    _ = try await store.join("a8", link: 12)
    #expect(try await !store.useStep(1, of: "a8"), "without a second factor")
    let codes = (0..<3).map { [UInt8](repeating: $0, count: 32) }
    try await store.setSecondFactor(
      SecondFactor(sealedSecret: [7], lastStep: 100, recoveryCodes: codes), of: "a8")
    #expect(try await store.account("a8")?.secondFactor == [7])
    for (step, isTaken) in [
      (100, false), (99, false), (101, true), (101, false), (103, true), (102, false),
    ] as [(Int64, Bool)] {
      #expect(try await store.useStep(step, of: "a8") == isTaken)
    }
    #expect(try await store.recoveryCodeCount(of: "a8") == 3)
    #expect(try await store.useRecoveryCode(codes[1], of: "a8"))
    #expect(try await !store.useRecoveryCode(codes[1], of: "a8"))
    #expect(try await !store.useRecoveryCode([9], of: "a8"))
    #expect(try await !store.useRecoveryCode(codes[0], of: "nobody"))
    #expect(try await store.recoveryCodeCount(of: "a8") == 2)
    try await store.setSecondFactor(nil, of: "a8")
    #expect(try await store.account("a8")?.secondFactor == nil)
    #expect(try await store.recoveryCodeCount(of: "a8") == 0)
    #expect(try await !store.useStep(1_000, of: "a8"))
  },
  StoreBehaviour("a session lasts until it ends, and is listed once it is confirmed") { store in
    _ = try await store.join("a9", link: 13)
    let ada = session(30, "a9")
    try await store.add(ada)
    try await store.add(session(31, "a9", isConfirmed: false))
    let found = try #require(try await store.session(hash: ada.hash, at: Sample.now))
    #expect(found.session == ada && found.account.id == "a9")
    #expect(found.account.grants == [.init(.author, app: nil)])
    let pending = try await store.session(hash: session(31, "a9").hash, at: Sample.now)
    #expect(pending?.session.isConfirmed == false)
    #expect(try await store.sessions(of: "a9", at: Sample.now) == [ada])
    try await store.touchSession(ada.hash, at: Sample.now + .seconds(60))
    #expect(
      try await store.session(hash: ada.hash, at: Sample.now)?.session.seenAt
        == Sample.now + .seconds(60))
    #expect(try await store.session(hash: ada.hash, at: Sample.now + hour) == nil)
    #expect(try await store.sessions(of: "a9", at: Sample.now + hour).isEmpty)
    #expect(try await !store.endSession(ada.hash, of: "another"))
    #expect(try await store.endSession(ada.hash, of: "a9"))
    #expect(try await store.session(hash: ada.hash, at: Sample.now) == nil)
    #expect(try await !store.endSession(ada.hash, of: "a9"))
    // A new one removes those that have expired.
    try await store.add(session(32, "a9", at: Sample.now + hour))
    #expect(try await store.session(hash: session(31, "a9").hash, at: Sample.now) == nil)
    try await store.add(session(33, "a9", at: Sample.now + hour))
    #expect(try await store.endSessions(of: "a9", except: session(32, "a9").hash) == 1)
    #expect(try await store.endSessions(of: "a9", except: nil) == 1)
  },
  StoreBehaviour("an account is removed with its sessions, links and codes") { store in
    _ = try await store.join("a10", link: 14)
    try await store.add(session(40, "a10"))
    #expect(try await store.add(link(15, "a10")))
    #expect(try await store.removeAccount("a10"))
    #expect(try await !store.removeAccount("a10"))
    #expect(try await store.account("a10") == nil)
    #expect(try await store.session(hash: session(40, "a10").hash, at: Sample.now) == nil)
    #expect(try await store.account(link: link(15, "").hash, at: Sample.now) == nil)
  },
  StoreBehaviour("an audit entry names the person or the key, and keys have names") { store in
    _ = try await StoreFixture(store, "named")
    var key = Sample.key(77, app: "named")
    key.name = "Shop"
    try await store.add(key)
    #expect(try await store.keys(app: "named") == [key])
    #expect(try await store.key(hash: key.hash)?.name == "Shop")
    let entry = AuditEntry(
      app: "named", key: nil, account: "a", name: "Ada", action: "campaign.start", object: "c",
      address: "192.0.2.1", at: Sample.now)
    try await store.append(entry)
    #expect(try await store.audit(app: "named", after: nil, limit: 9).elements == [entry])
  },
  StoreBehaviour("a passkey is one account's, is used with a rising count, and removed") { store in
    _ = try await store.join("k1", link: 70)
    _ = try await store.join("k2", link: 71)
    let (one, two) = (session(90, "k1"), session(91, "k2"))
    for each in [one, two] { try await store.add(each) }
    #expect(try await store.add(passkey(9, "k1"), in: one.hash) == nil)
    #expect(try await store.add(passkey(8, "k1", count: 4), in: one.hash) == nil)
    #expect(try await store.add(passkey(9, "k2"), in: two.hash) == .taken, "another's")
    #expect(try await store.add(passkey(7, "nobody"), in: one.hash) == .noAccount)
    #expect(try await store.passkey([9, 9]) == passkey(9, "k1"))
    #expect(try await store.passkey([7, 7]) == nil)
    #expect(try await store.passkeys(of: "k1").map(\.id) == [[8, 8], [9, 9]])
    #expect(try await store.account("k1")?.passkeyCount == 2)
    #expect(try await store.accounts().first { $0.id == "k2" }?.passkeyCount == 0)
    #expect(try await store.usePasskey([9, 9], count: 0, at: Sample.now + hour) == nil)
    #expect(try await store.passkey([9, 9])?.usedAt == Sample.now + hour)
    for (count, isUsed) in [(4, false), (5, true), (5, false), (0, false), (1 << 32 - 1, true)] {
      #expect(
        try await store.usePasskey([8, 8], count: Int64(count), at: Sample.now)
          == (isUsed ? nil : .repeatedCount), "\(count)")
    }
    #expect(try await store.usePasskey([7, 7], count: 1, at: Sample.now) == .notFound)
    #expect(try await !store.removePasskey([9, 9], of: "k2"))
    #expect(try await store.removePasskey([9, 9], of: "k1"))
    #expect(try await !store.removePasskey([9, 9], of: "k1"))
  },
  StoreBehaviour("an account has a number of passkeys at most, and none after a link was used") {
    store in
    _ = try await store.join("k3", link: 72)
    let (early, late) = (session(92, "k3").hash, session(93, "k3").hash)
    try await store.add(session(92, "k3"))
    await withTaskGroup { group in
      for byte in 100..<UInt8(100 + Passkey.limit + 5) {
        group.addTask { _ = try? await store.add(passkey(byte, "k3"), in: early) }
      }
    }
    #expect(try await store.passkeys(of: "k3").count == Passkey.limit)
    #expect(try await store.add(passkey(99, "k3"), in: early) == .tooMany)
    #expect(try await store.add(link(73, "k3")))
    _ = try await store.redeem(
      link: link(73, "").hash, name: "Ada", with: .password("new"), at: Sample.now)
    #expect(try await store.passkeys(of: "k3").isEmpty)
    try await store.add(session(93, "k3"))
    #expect(try await store.add(passkey(100, "k3"), in: late) == nil)
    #expect(try await store.add(passkey(101, "k3"), in: late) == nil)
    try await store.removePasskeys(of: "k3")
    #expect(try await store.account("k3")?.passkeyCount == 0)
    #expect(try await store.add(passkey(100, "k3"), in: late) == nil)
    #expect(try await store.removeAccount("k3"))
    #expect(try await store.passkey([100, 100]) == nil)
  },
  StoreBehaviour("a session that has ended adds no passkey, no factor and no identity") { store in
    _ = try await store.join("k4", link: 74)
    _ = try await store.join("k5", link: 75)
    try await store.add(session(94, "k4"))
    try await store.add(session(95, "k4", isConfirmed: false))
    try await store.add(session(96, "k5"))
    try await store.add(session(97, "k4"))
    #expect(try await store.endSession(session(94, "k4").hash, of: "k4"))
    let identity = AccountIdentity(issuer: "https://id.example", subject: "k4")
    let factor = SecondFactor(sealedSecret: [7], lastStep: 1, recoveryCodes: [])
    // One that has ended, one that waits for a code, another person's, and one that never was.
    for byte: UInt8 in [94, 95, 96, 98] {
      let hash = session(byte, "k4").hash
      #expect(try await store.add(passkey(130, "k4"), in: hash) == .changed, "\(byte)")
      #expect(
        try await store.setSecondFactor(factor, of: "k4", keeping: hash) == .changed, "\(byte)")
      #expect(
        try await store.connect(identity, to: "k4", name: nil, in: hash) == .changed, "\(byte)")
    }
    let unchanged = try #require(try await store.account("k4"))
    #expect(unchanged.passkeyCount == 0 && unchanged.secondFactor == nil)
    #expect(!unchanged.isConnected)
    let open = session(97, "k4").hash
    #expect(try await store.add(passkey(130, "k4"), in: open) == nil)
    #expect(try await store.connect(identity, to: "k4", name: nil, in: open) == nil)
    try await store.add(session(99, "k4"))
    #expect(try await store.setSecondFactor(factor, of: "k4", keeping: open) == nil)
    let changed = try #require(try await store.account("k4"))
    #expect(changed.passkeyCount == 1 && changed.secondFactor == [7] && changed.isConnected)
    #expect(try await store.sessions(of: "k4", at: Sample.now).map(\.hash) == [open])
    #expect(
      try await store.setSecondFactor(factor, of: "nobody", keeping: open) == .noAccount)
    // A sealed value that stays would be counted where a secret is replaced.
    #expect(try await store.removeAccount("k4"))
  },
  StoreBehaviour("an identity opens one account, which has one of each issuer") { store in
    _ = try await store.join("i1", link: 60)
    _ = try await store.join("i2", link: 61)
    #expect(try await store.add(link(62, "i1")))
    let first = AccountIdentity(issuer: "https://id.example", subject: "i1")
    #expect(try await store.account(first) == nil)
    #expect(try await store.connect(first, to: "i1", name: "Another") == nil)
    let connected = try #require(try await store.account(first))
    #expect(connected.id == "i1" && connected.isConnected && !connected.hasNotJoined)
    #expect(connected.name == "Ada", "a name that there is stays")
    #expect(try await store.account("i1") == connected)
    #expect(try await store.accounts().filter(\.isConnected).map(\.id) == ["i1"])
    #expect(try await store.account(link: link(62, "").hash, at: Sample.now) == nil)
    #expect(try await store.connect(first, to: "i1", name: nil) == nil, "again")
    #expect(try await store.connect(first, to: "i2", name: nil) == .taken, "another's")
    let second = AccountIdentity(issuer: "https://id.example", subject: "another")
    #expect(
      try await store.connect(second, to: "i1", name: nil) == .otherIdentity, "one of each issuer")
    #expect(try await store.account(second) == nil)
    let other = AccountIdentity(issuer: "https://other.example", subject: "i1")
    #expect(try await store.connect(other, to: "i1", name: nil) == nil)
    #expect(try await store.connect(second, to: "nobody", name: nil) == .noAccount)
    #expect(try await store.disconnect("i1") == nil)
    for identity in [first, other] { #expect(try await store.account(identity) == nil) }
    #expect(try await store.disconnect("i1") == .notFound)
    #expect(try await store.disconnect("nobody") == .noAccount)
  },
  StoreBehaviour("a link is used with an identity, and who has no password stays connected") {
    store in
    try await store.add(person("i3"), link: link(63, "i3"))
    #expect(try await store.account("i3")?.hasNotJoined == true)
    let (first, second) = (
      AccountIdentity(issuer: "https://id.example", subject: "i3"),
      AccountIdentity(issuer: "https://id.example", subject: "i3-new")
    )
    let joined = try await store.redeem(
      link: link(63, "").hash, name: "Ada", with: .identity(first), at: Sample.now)
    #expect(joined?.isConnected == true && joined?.password == nil && joined?.name == "Ada")
    #expect(try await store.disconnect("i3") == .lastWay)
    // A newer link replaces the identity, and ends the sessions.
    try await store.add(session(64, "i3"))
    #expect(try await store.add(link(65, "i3")))
    _ = try await store.redeem(
      link: link(65, "").hash, name: "Ada", with: .identity(second), at: Sample.now)
    #expect(try await store.account(first) == nil)
    #expect(try await store.account(second)?.id == "i3")
    #expect(try await store.sessions(of: "i3", at: Sample.now).isEmpty)
    // Another's identity leaves all as it was, the link too.
    try await store.add(person("i4"), link: link(66, "i4"))
    await expect(.conflict) {
      _ = try await store.redeem(
        link: link(66, "").hash, name: "Bob", with: .identity(second), at: Sample.now)
    }
    #expect(try await store.account(link: link(66, "").hash, at: Sample.now)?.name == "")
    #expect(try await store.removeAccount("i3"))
    #expect(try await store.account(second) == nil)
    #expect(
      try await store.redeem(
        link: link(66, "").hash, name: "Bob", with: .identity(second), at: Sample.now) != nil)
  },
]
