import PushPayload
import Testing

@testable import PushModel

let uploadBehaviours = [
  StoreBehaviour(
    "an upload and its bytes are kept while something names it, and for a time after"
  ) { store in
    let fixture = try await StoreFixture(store, "uploads")
    try await fixture.register(1)
    /// The bytes of one piece, and one byte of the next.
    let bytes = (0...(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    func add(_ digit: Character) async throws -> String {
      let name = String(repeating: digit, count: 32) + ".png"
      try await store.add(
        Upload(name: name, app: fixture.app, createdAt: Sample.now), bytes: bytes[...],
        quota: .max)
      return name
    }
    let sent = try await add("a")
    let shown = try await add("b")
    let unused = try await add("c")
    let icon = try await add("d")
    var app = try #require(try await store.app(fixture.app))
    #expect(try await store.setIcon(icon, app: fixture.app))
    #expect(try await store.setIcon(icon, app: "unknown") == false)
    // A change of the app that was read before leaves the icon, and the icon leaves the change.
    let old = app
    app.name = "Renamed"
    #expect(try await store.update(app, from: old))
    #expect(try await store.app(fixture.app)?.icon == icon)
    #expect(try await store.app(fixture.app)?.name == "Renamed")
    #expect(try await store.upload(sent)?.app == fixture.app)
    #expect(
      try await store.bytes(ofUpload: sent) == (store.keepsUploadBytes ? bytes : nil))
    #expect(try await store.upload("none") == nil)
    #expect(try await store.bytes(ofUpload: "none") == nil)
    await #expect(throws: StoreError.self) {
      try await store.add(
        Upload(name: "x", app: "no app", createdAt: Sample.now), bytes: [],
        quota: .max)
    }

    try await fixture.accept("names-an-upload") {
      $0.payload = [
        "media_url": .string("https://x.example/media/\(sent)"), "n": .string(unused + "x9"),
      ]
    }
    try await store.add(
      Message(
        id: "shows-an-upload", app: fixture.app, audience: "a", title: "Hi",
        content: ["image_url": .string("http://y.example/media/\(shown)?v=1")],
        createdAt: Sample.now,
        unpublishAt: Sample.now))
    func left(after time: Duration) async throws -> [Bool] {
      var retention = Retention()
      retention.messages = .days(100)
      while try await store.removeOutdated(retention, at: Sample.now + time, limit: 1000) {}
      var known: [Bool] = []
      for name in [sent, shown, unused, icon] { known.append(try await store.upload(name) != nil) }
      return known
    }
    #expect(try await left(after: .days(90)) == [true, true, true, true])
    #expect(try await left(after: .days(90) + .seconds(1)) == [true, true, false, true])
    #expect(try await store.bytes(ofUpload: unused) == nil)
    // The upload is kept no longer than its message.
    #expect(try await left(after: .days(100) + .seconds(1)) == [true, false, false, true])
    #expect(try await store.setIcon(nil, app: fixture.app))
    #expect(try await store.app(fixture.app)?.icon == nil)
    #expect(try await left(after: .days(101)) == [true, false, false, false])
    try await store.deleteApp(fixture.app)
    #expect(try await store.upload(sent) == nil)
  },
  StoreBehaviour("an app's uploads have a quota together, which those of other apps leave alone") {
    store in
    let fixture = try await StoreFixture(store, "quota")
    let other = try await StoreFixture(store, "no-quota")
    func add(_ digit: Character, _ count: Int, app: String, quota: Int = 10) async throws {
      let name = String(repeating: digit, count: 31) + "9.png"
      try await store.add(
        Upload(name: name, app: app, createdAt: Sample.now),
        bytes: [UInt8](repeating: 1, count: count)[...], quota: quota)
    }
    try await add("a", 7, app: fixture.app)
    await expect(.conflict) { try await add("b", 4, app: fixture.app) }
    try await add("c", 10, app: other.app)
    try await add("d", 3, app: fixture.app)
    await expect(.conflict) { try await add("e", 1, app: fixture.app) }
    try await add("f", 1, app: fixture.app, quota: 11)
    #expect(try await store.upload(String(repeating: "b", count: 31) + "9.png") == nil)
  },
]

@Suite("The names of uploads")
struct UploadNameTests {
  @Test("names are found anywhere in a text")
  func found() {
    let digits = String(repeating: "0a", count: 16)
    let table: [(String, Set<String>)] = [
      ("", []), (digits, []), (digits + ".", []), (digits + ".pn", []), (digits + ".p", []),
      (digits + ".png", [digits + ".png"]), (digits + ".jpeg", [digits + ".jpeg"]),
      (digits + ".jpegs", []), (digits + ".PNG", []), (digits.uppercased() + ".png", []),
      (String(digits.dropFirst()) + ".png", []),
      ("f" + digits + ".png", [digits + ".png"]),
      (
        #"{"a":"\/media\/\#(digits).mp4","b":"\#(digits).gif"}"#,
        [digits + ".mp4", digits + ".gif"]
      ),
    ]
    for (text, names) in table {
      #expect(Upload.names(in: Array(text.utf8)) == names, "\(text)")
    }
    #expect(Upload.isName(digits + ".png"))
    for wrong in ["", digits, digits + ".jpegs", "../" + digits + ".png", digits + ".png/"] {
      #expect(!Upload.isName(wrong))
    }
  }
}
