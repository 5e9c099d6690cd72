import PushPayload
import Testing

@testable import PushModel

let fileImportBehaviours = [
  StoreBehaviour("a file arrives in parts, in order, and only while its import is new") { store in
    let fixture = try await StoreFixture(store, "import-parts")
    var file = FileImport(
      id: "parts", app: fixture.app, fileName: "a.csv", createdAt: Sample.now)
    await expect(.notFound) { try await store.append([1], as: 0, toImport: "parts", app: "none") }
    try await store.add(file)
    try await store.append([1, 2], as: 0, toImport: "parts", app: fixture.app)
    for wrong in [0, 2] {
      await expect(.notFound) {
        try await store.append([3], as: wrong, toImport: "parts", app: fixture.app)
      }
    }
    try await store.append([3], as: 1, toImport: "parts", app: fixture.app)
    let stored = try #require(try await store.fileImport("parts", app: fixture.app))
    #expect(stored.size == 3 && stored.parts == 2 && stored.state == .uploading)
    #expect(try await store.part(0, ofImport: "parts", app: fixture.app) == [1, 2])
    #expect(try await store.part(2, ofImport: "parts", app: fixture.app) == nil)
    #expect(try await store.part(0, ofImport: "parts", app: "other") == nil)
    file = stored
    file.state = .uploaded
    #expect(try await store.update(file, holdingFor: nil, at: Sample.now) != nil)
    await expect(.notFound) {
      try await store.append([4], as: 2, toImport: "parts", app: fixture.app)
    }
  },
  StoreBehaviour("an import is changed only by who has read its last change") { store in
    let fixture = try await StoreFixture(store, "import-revisions")
    let file = FileImport(
      id: "revised", app: fixture.app, fileName: "a.csv", createdAt: Sample.now)
    try await store.add(file)
    var first = try #require(try await store.fileImport("revised", app: fixture.app))
    let second = first
    first.state = .uploaded
    first.settings = ["form": "csv"]
    first.problem = "none"
    let changed = try #require(
      try await store.update(first, holdingFor: nil, at: Sample.now))
    #expect(try await store.fileImport("revised", app: fixture.app) == changed)
    #expect(try await store.update(second, holdingFor: nil, at: Sample.now) == nil)
    #expect(try await store.fileImports(app: fixture.app, limit: 9) == [changed])
  },
  StoreBehaviour("one node at a time holds an import, and another takes it when the hold has ended")
  {
    store in
    let fixture = try await StoreFixture(store, "import-holds")
    try await store.add(
      FileImport(id: "held", app: fixture.app, fileName: "a.csv", createdAt: Sample.now))
    var file = try #require(try await store.fileImport("held", app: fixture.app))
    let hold = Duration.seconds(60)
    #expect(try await store.takeImport("held", at: Sample.now, for: hold) == nil)
    file.state = .uploaded
    file = try #require(try await store.update(file, holdingFor: nil, at: Sample.now))
    let isChecked = file.on(.check([:]), at: Sample.now)
    #expect(isChecked)
    _ = try #require(try await store.update(file, holdingFor: nil, at: Sample.now))
    let taken = try #require(try await store.takeImport(nil, at: Sample.now, for: hold))
    #expect(taken.id == "held" && taken.attempts == 1 && taken.state == .checking)
    #expect(try await store.takeImport("held", at: Sample.now, for: hold) == nil)
    #expect(try await store.removeFile(ofImport: "held", app: fixture.app) == false)
    // What the first node does is refused once another one has taken the import.
    let again = try #require(
      try await store.takeImport("held", at: Sample.now + .seconds(3600), for: hold))
    #expect(again.attempts == 2)
    #expect(try await store.update(taken, holdingFor: hold, at: Sample.now) == nil)
    var done = again
    done.state = .checked
    #expect(try await store.update(done, holdingFor: nil, at: Sample.now) != nil)
    #expect(
      try await store.takeImport(nil, at: Sample.now + .seconds(7200), for: hold) == nil)
  },
  StoreBehaviour("lines of an import are stored once, in order, and only while it runs") { store in
    let fixture = try await StoreFixture(store, "import-steps")
    try await fixture.update("owner") { $0.token = .set("2001") }
    try await store.add(
      FileImport(id: "steps", app: fixture.app, fileName: "a.csv", createdAt: Sample.now))
    func stored() async throws -> FileImport {
      guard let file = try await store.fileImport("steps", app: fixture.app) else {
        throw StoreError(.notFound, "the import is gone")
      }
      return file
    }
    func importLines(
      _ lines: ClosedRange<Int>, after previous: Int, left: Int = 0
    ) async throws {
      let devices = lines.map { number in
        var line = ImportedDevice(
          id: "line-\(number)", token: String(0x2000 + number, radix: 16), patch: DevicePatch())
        line.isNamed = true
        return line
      }
      let step = ImportStep(
        file: "steps", previousLine: previous, lastLine: lines.upperBound, leftWithoutToken: left)
      _ = try await store.importDevices(
        devices, app: fixture.app, at: Sample.now, after: nil, step: step)
    }
    var file = try await stored()
    file.state = .checked
    file = try #require(try await store.update(file, holdingFor: nil, at: Sample.now))
    await expect(.notFound) { try await importLines(1...3, after: 0) }
    let isStarted = file.on(.start, at: Sample.now)
    #expect(isStarted)
    _ = try #require(try await store.update(file, holdingFor: nil, at: Sample.now))
    let hold = Duration.seconds(60)
    let first = try #require(try await store.takeImport("steps", at: Sample.now, for: hold))
    #expect(first.storedLine == 0)
    try await importLines(1...3, after: 0)
    // The same lines again, and lines that leave one out: nothing of them is stored.
    await expect(.notFound) { try await importLines(1...3, after: 0) }
    await expect(.notFound) { try await importLines(5...6, after: 4) }
    #expect(try await store.deviceCount(app: fixture.app) == 4)
    #expect(try await store.device("owner", app: fixture.app)?.token == nil)
    // A change that was read before the lines were stored leaves them as they are.
    let held = try #require(try await store.update(first, holdingFor: hold, at: Sample.now))
    #expect(held.storedLine == 0)
    let second = try #require(
      try await store.takeImport("steps", at: Sample.now + .seconds(3600), for: hold))
    #expect(second.storedLine == 3 && second.leftWithoutToken == 1 && second.attempts == 2)
    try await importLines(4...4, after: 3, left: 1)
    var stopped = try await stored()
    #expect(stopped.storedLine == 4 && stopped.leftWithoutToken == 1)
    let isStopped = stopped.on(.stop, at: Sample.now)
    #expect(isStopped)
    stopped = try #require(try await store.update(stopped, holdingFor: nil, at: Sample.now))
    await expect(.notFound) { try await importLines(5...5, after: 4, left: 1) }
    #expect(try await stored() == stopped)
    // Who starts it anew begins with the first line.
    let isStartedAgain = stopped.on(.start, at: Sample.now)
    #expect(isStartedAgain)
    var again = try #require(try await store.update(stopped, holdingFor: nil, at: Sample.now))
    #expect(again.storedLine == 0 && again.leftWithoutToken == 0)
    #expect(try await stored() == again)
    again.state = .stopped
    #expect(try await store.update(again, holdingFor: nil, at: Sample.now) != nil)
  },
  StoreBehaviour("an app has files of a few imports, and each is removed in time") { store in
    let fixture = try await StoreFixture(store, "import-files")
    for number in 1...FileImport.fileLimit {
      try await store.add(
        FileImport(
          id: "file-\(number)", app: fixture.app, fileName: "a.csv", createdAt: Sample.now))
    }
    try await store.append([1], as: 0, toImport: "file-1", app: fixture.app)
    let more = FileImport(id: "file-5", app: fixture.app, fileName: "b.csv", createdAt: Sample.now)
    await expect(.conflict) { try await store.add(more) }
    #expect(try await store.removeFile(ofImport: "file-2", app: fixture.app))
    try await store.add(more)
    for (days, files, imports) in [(0, 4, 5), (2, 0, 5), (91, 0, 0)] {
      while try await store.removeOutdated(
        Retention(), at: Sample.now + .days(days) + .seconds(1), limit: 100)
      {}
      let left = try await store.fileImports(app: fixture.app, limit: 99)
      #expect(left.count == imports && left.count { !$0.isFileRemoved } == files, "\(days) days")
      let part = try await store.part(0, ofImport: "file-1", app: fixture.app)
      #expect((part == nil) == (days > 0))
    }
  },
]

let personBehaviours = [
  StoreBehaviour("people are found by the beginning of their ids, with a number of devices") {
    store in
    let fixture = try await StoreFixture(store, "people-found")
    for (device, user) in [
      ("d1", "ann"), ("d2", "ann"), ("d3", "anna"), ("d4", "bob"), ("d5", "ann"),
    ] {
      var patch = DevicePatch()
      patch.userID = .set(user)
      _ = try await store.update(device: device, app: fixture.app, patch, at: Sample.now)
    }
    func found(_ prefix: String, limit: Int = 9) async throws -> [String] {
      try await store.devices(app: fixture.app, userPrefix: prefix, limit: limit).map(\.id)
    }
    #expect(try await found("ann") == ["d1", "d2", "d5", "d3"])
    #expect(try await found("ann", limit: 2) == ["d1", "d2"])
    #expect(try await found("anna") == ["d3"])
    #expect(try await found("c") == [])
    let people = try await store.devices(
      ofUsers: ["ann", "bob", "none", "ann"], app: fixture.app, limit: 2)
    #expect(people.mapValues { $0.map(\.id) } == ["ann": ["d1", "d2"], "bob": ["d4"]])
    #expect(try await store.devices(ofUsers: [], app: fixture.app, limit: 2).isEmpty)
  },
  StoreBehaviour("what became of some sends is read for some devices at once") { store in
    let fixture = try await StoreFixture(store, "people-sent")
    try await fixture.register(3)
    try await fixture.accept("people-first")
    try await fixture.accept("people-second")
    try await fixture.drain()
    let devices = try await store.devices(app: fixture.app, above: nil, limit: 2)
    let receipt = Receipt(
      id: "r", send: "people-second", device: devices[1].id, event: .opened, at: Sample.now)
    try await store.record([receipt], app: fixture.app, at: Sample.now)
    let found = try await store.deliveries(
      of: ["people-first", "people-second", "none"], to: devices, app: fixture.app)
    #expect(found.count == 4)
    for delivery in found {
      let outcome = try await store.outcome(
        of: delivery.send, app: fixture.app, device: delivery.device)
      #expect(outcome != nil && delivery.outcome == outcome)
      let isOpened = delivery.send == "people-second" && delivery.device == devices[1].number
      #expect(delivery.receipts == (isOpened ? [receipt] : []))
    }
    #expect(try await store.deliveries(of: [], to: devices, app: fixture.app).isEmpty)
  },
  StoreBehaviour("the registered tokens among some are counted") { store in
    let fixture = try await StoreFixture(store, "people-tokens")
    try await fixture.register(3)
    let tokens = try await store.devices(app: fixture.app, above: nil, limit: 2).compactMap(\.token)
    let count = try await store.registeredTokens(among: tokens + ["ffff"], app: fixture.app)
    #expect(count == 2)
    #expect(try await store.registeredTokens(among: [], app: fixture.app) == 0)
  },
]
