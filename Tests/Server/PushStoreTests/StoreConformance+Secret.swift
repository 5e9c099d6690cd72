import PushModel
import Testing

private let old: [UInt8] = [2, 1, 1]
private let new: [UInt8] = [2, 9, 9]

private func app(_ id: String, _ sealed: [UInt8]) -> App {
  var app = Sample.app(id)
  app.sealedKey = sealed
  return app
}

private func webhook(_ id: String, app: String, _ sealed: [UInt8]) -> Webhook {
  Webhook(
    id: id, app: app, url: "https://example.com", events: ["made"], sealedSecret: sealed,
    createdAt: Sample.now)
}

let secretBehaviours: [StoreBehaviour] = [
  StoreBehaviour("a secret's values are replaced in one step, and no value of another is stored") {
    store in
    // Values that other behaviours left on the same store.
    var others = 0
    for app in try await store.apps() {
      others += 1 + (try await store.webhooks(app: app.id).count)
    }
    #expect(try await store.sealMark() == nil)
    #expect(try await store.claimSealMark(old) == old)
    #expect(try await store.claimSealMark(new) == old, "the first one stays")
    #expect(try await store.sealMark() == old)
    try await store.add(app("secret", old + [5]), keys: [])
    try await store.add(webhook("secret-hook", app: "secret", old + [6]))
    let person = Account(
      id: "secret-person", email: "secret@example.com", name: "", createdAt: Sample.now)
    try await store.add(
      person,
      link: AccountLink(
        hash: [99], account: person.id, by: .commandLine, expiresAt: Sample.now + .seconds(1)))
    func factor(_ sealed: [UInt8]) -> SecondFactor {
      SecondFactor(sealedSecret: sealed, lastStep: 5, recoveryCodes: [[1]])
    }
    try await store.setSecondFactor(factor(old + [8]), of: person.id)
    await expect(.conflict) { try await store.add(app("late", new + [5]), keys: []) }
    await expect(.conflict) {
      try await store.add(webhook("late-hook", app: "secret", [2, 1] + [6]))
    }
    await expect(.conflict) {
      _ = try await store.update(
        app("secret", new + [5]), from: app("secret", old + [5]))
    }
    await expect(.conflict) {
      try await store.setSecondFactor(factor(new + [8]), of: person.id)
    }
    #expect(try await store.app("late") == nil)
    #expect(try await store.webhooks(app: "secret").map(\.id) == ["secret-hook"])

    // What the closure throws leaves everything as it was.
    await expect(.refused) {
      _ = try await store.reseal(from: old, to: new) { value throws(StoreError) in
        if case .webhookSecret = value { throw StoreError(.refused, "not this one") }
        return new
      }
    }
    await expect(.conflict) {
      _ = try await store.reseal(from: new, to: old) { _ throws(StoreError) in [] }
    }
    #expect(try await store.sealMark() == old)
    #expect(try await store.app("secret")?.sealedKey == old + [5])

    let count = try await store.reseal(from: old, to: new) { value throws(StoreError) in
      switch value {
      case .apnsKey("secret", let sealed): new + sealed.suffix(1)
      case .webhookSecret("secret-hook", let sealed): new + sealed.suffix(1)
      case .secondFactor("secret-person", let sealed): new + sealed.suffix(1)
      case .apnsKey(_, let sealed), .webhookSecret(_, let sealed), .secondFactor(_, let sealed):
        sealed
      }
    }
    #expect(count == others + 3)
    #expect(try await store.sealMark() == new)
    #expect(try await store.app("secret")?.sealedKey == new + [5])
    #expect(try await store.webhooks(app: "secret").map(\.sealedSecret) == [new + [6]])
    #expect(try await store.account("secret-person")?.secondFactor == new + [8])
    #expect(try await store.recoveryCodeCount(of: "secret-person") == 1)
    #expect(try await !store.useStep(5, of: "secret-person"), "a used code stays used")
    // An app that was read before writes its old value back.
    await expect(.conflict) {
      _ = try await store.update(
        app("secret", old + [5]), from: app("secret", old + [5]))
    }
    let resealed = try #require(try await store.app("secret"))
    #expect(try await store.update(app("secret", new + [7]), from: resealed))
  }
]
