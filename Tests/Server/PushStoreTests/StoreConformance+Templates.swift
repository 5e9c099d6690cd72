import PushModel
import PushPayload
import Testing

let templateBehaviours = [
  StoreBehaviour("a template has a version for each save, and old ones stay, also of a deleted one")
  {
    store in
    let fixture = try await StoreFixture(store, "stored-templates")
    @Sendable func save(_ text: String, after version: Int? = nil) async throws -> Int {
      let template = StoredTemplate(
        app: fixture.app, name: "welcome", version: 0, payload: ["alert": .string(text)],
        savedAt: Sample.now, savedBy: "key")
      let saved = try await store.save(template, after: version)
      return saved.version
    }
    #expect(try await save("one", after: 0) == 1)
    await expect(.conflict) { _ = try await save("new", after: 0) }
    #expect(try await save("two", after: 1) == 2)
    await expect(.conflict) { _ = try await save("late", after: 1) }
    #expect(try await save("three") == 3)
    @Sendable func text(_ version: Int) async throws -> JSONValue? {
      let template = try await store.template("welcome", version: version, app: fixture.app)
      return template?.payload["alert"]
    }
    #expect(try await store.template("welcome", app: fixture.app)?.version == 3)
    #expect(try await text(1) == "one")
    #expect(try await text(4) == nil)
    let versions = try await store.versions(
      ofTemplate: "welcome", app: fixture.app, before: 3, limit: 9)
    #expect(versions.map(\.version) == [2, 1] && versions.first?.savedBy == "key")
    await expect(.conflict) {
      _ = try await store.deleteTemplate("welcome", app: fixture.app, after: 2)
    }
    #expect(try await store.deleteTemplate("welcome", app: fixture.app, after: 3)?.version == 3)
    #expect(try await store.deleteTemplate("welcome", app: fixture.app, after: nil) == nil)
    #expect(try await store.template("welcome", app: fixture.app) == nil)
    #expect(try await text(3) == "three")
    // A new one with the name does not take the numbers of the old one.
    await expect(.conflict) { _ = try await save("again", after: 3) }
    #expect(try await save("again", after: 0) == 4)
    #expect(try await text(1) == "one")
  },
  StoreBehaviour("templates are listed by name in pages, and found by a part of it") { store in
    let fixture = try await StoreFixture(store, "named-templates")
    for name in ["b_2", "A", "b%1", "c"] {
      _ = try await store.save(
        StoredTemplate(
          app: fixture.app, name: name, version: 0, payload: [:], savedAt: Sample.now),
        after: nil)
    }
    func names(_ text: String, after name: String? = nil, limit: Int = 9) async throws -> [String] {
      try await store.templates(app: fixture.app, matching: text, after: name, limit: limit)
        .elements.map(\.name)
    }
    #expect(try await names("") == ["A", "b%1", "b_2", "c"])
    #expect(try await names("B") == ["b%1", "b_2"])
    #expect(try await names("_") == ["b_2"])
    #expect(try await names("", after: "A", limit: 2) == ["b%1", "b_2"])
    let page = try await store.templates(app: fixture.app, matching: "", after: nil, limit: 3)
    #expect(page.cursor == "b_2" && page.total == 4)
    _ = try await store.deleteTemplate("c", app: fixture.app, after: nil)
    #expect(try await names("") == ["A", "b%1", "b_2"])
  },
  StoreBehaviour("of ten saves of a template after one version one is stored") { store in
    let fixture = try await StoreFixture(store, "raced")
    let saved = await withTaskGroup(of: Int?.self) { group in
      for number in 0..<10 {
        group.addTask {
          try? await store.save(
            StoredTemplate(
              app: fixture.app, name: "t", version: 0, payload: ["alert": .string("\(number)")],
              savedAt: Sample.now), after: 0
          ).version
        }
      }
      return await group.reduce(into: [Int]()) { all, version in version.map { all.append($0) } }
    }
    #expect(saved == [1])
  },
  StoreBehaviour(
    "an approval is of one version, and a campaign starts without it where none is asked for"
  ) {
    store in
    let fixture = try await StoreFixture(store, "approved")
    var campaign = fixture.campaign("c")
    try await store.save(campaign)
    @Sendable func happen(
      _ kind: CampaignApproval.Event.Kind, _ version: Int?, by actor: String
    ) async throws -> CampaignApproval? {
      try await store.apply(
        CampaignApproval.Event(kind, version: version, by: actor, at: Sample.now),
        toCampaign: "c", app: fixture.app)?.approval
    }
    var limits = AppLimits()
    limits.approval = .required
    try await store.setLimits(limits, app: fixture.app)
    #expect(try await store.limits(app: fixture.app) == limits)
    await expect(.conflict) { try await fixture.start("c") }
    #expect(try await happen(.submit, nil, by: "ada")?.submittedBy == "ada")
    await expect(.forbidden) { _ = try await happen(.approve, 1, by: "ada") }
    await expect(.conflict) { _ = try await happen(.approve, 2, by: "bob") }
    let approval = try await happen(.approve, 1, by: "bob")
    #expect(approval?.state == .approved && approval?.decidedBy == "bob")
    #expect(try await store.campaign("c", app: fixture.app)?.approval == approval)
    (campaign.version, campaign.document) = (2, ["a": 2])
    try await store.save(campaign)
    #expect(try await store.campaign("c", app: fixture.app)?.isApproved == false)
    await expect(.conflict) { try await fixture.start("c", version: 2) }
    _ = try await happen(.submit, 2, by: "bob")
    _ = try await happen(.reject(note: "no"), 2, by: "ada")
    #expect(try await store.campaign("c", app: fixture.app)?.approval?.note == "no")
    try await store.setLimits(AppLimits(), app: fixture.app)
    #expect(try await fixture.start("c", version: 2)?.state == .live)
    await expect(.conflict) { _ = try await happen(.submit, 2, by: "ada") }
    #expect(
      try await store.apply(
        CampaignApproval.Event(.submit, version: nil, by: "a", at: Sample.now),
        toCampaign: "none", app: fixture.app) == nil)
    _ = try await fixture.happen(.end, "c")
  },
  StoreBehaviour("one campaign is added with an idempotency key, until that is removed") { store in
    let fixture = try await StoreFixture(store, "called-twice")
    let call = CampaignCall(key: "k", fingerprint: [1, 2])
    let first = try await store.create(fixture.campaign("one"), with: call)
    #expect(first == nil)
    let second = try await store.create(fixture.campaign("two"), with: call)
    #expect(second?.campaign.id == "one" && second?.fingerprint == [1, 2])
    #expect(try await store.campaign("two", app: fixture.app) == nil)
    #expect(try await store.campaign(addedWith: "k", app: fixture.app)?.campaign.id == "one")
    var retention = Retention()
    retention.idempotencyKeys = .seconds(60)
    while try await store.removeOutdated(retention, at: Sample.now + .seconds(61), limit: 100) {}
    #expect(try await store.campaign(addedWith: "k", app: fixture.app) == nil)
    #expect(try await store.create(fixture.campaign("two"), with: call) == nil)
    #expect(try await store.create(fixture.campaign("three"), with: nil) == nil)
  },
  StoreBehaviour("a message is changed from what it was, and keeps the uploads that it names now") {
    store in
    let fixture = try await StoreFixture(store, "edited")
    let old = Message(
      id: "edited-m", app: fixture.app, audience: "a", title: "T", content: ["text": "one"],
      createdAt: Sample.now, unpublishAt: Sample.now + .seconds(100))
    try await store.add(old)
    var new = old
    (new.title, new.content) = ("U", ["text": "two"])
    new.unpublishAt = Sample.now + .seconds(50)
    #expect(try await store.update(new, from: old))
    #expect(try await store.message("edited-m", app: fixture.app) == new)
    await expect(.conflict) { [new] in _ = try await store.update(new, from: old) }
    var other = new
    other.id = "edited-none"
    #expect(try await store.update(other, from: other) == false)
    _ = try await fixture.update("edited-d") { $0.userID = .set("ada") }
    _ = try await store.mark(
      InboxMarks(read: ["edited-m"]), device: "edited-d", app: fixture.app, at: Sample.now)
    let readers = try await store.readers(of: "edited-m", app: fixture.app)
    #expect(readers.read == 1 && readers.hidden == 0)
  },
  StoreBehaviour("an upload is kept as long as a version of a template names it") { store in
    let fixture = try await StoreFixture(store, "kept-template")
    let names = ["c", "d"].map { String(repeating: $0, count: 32) + ".png" }
    for name in names {
      let upload = Upload(name: name, app: fixture.app, createdAt: Sample.now)
      try await store.add(upload, bytes: [1], quota: 9)
    }
    for (text, name) in [("one", names[0]), ("two", names[0]), ("three", nil)] {
      let url: JSONValue = .string("https://e.co/media/" + (name ?? ""))
      _ = try await store.save(
        StoredTemplate(
          app: fixture.app, name: "t", version: 0, payload: ["alert": .string(text), "image": url],
          savedAt: Sample.now), after: nil)
    }
    var retention = Retention()
    retention.uploads = .seconds(60)
    while try await store.removeOutdated(retention, at: Sample.now + .seconds(61), limit: 100) {}
    #expect(try await store.upload(names[0]) != nil)
    #expect(try await store.upload(names[1]) == nil)
  },
]
