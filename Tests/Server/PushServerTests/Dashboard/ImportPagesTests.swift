import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The pages of imports", .timeLimit(.minutes(10)))
struct ImportPagesTests {
  private static func token(_ number: Int) -> String { Fixture.token("import-\(number)") }

  private static func file(_ client: DashboardClient, _ text: String, named name: String = "a.csv")
    async -> Fixture.Answer
  {
    _ = await client.get(client.path("people/import"))
    return await client.upload(
      client.path("people/import"), [], file: Array(text.utf8), named: name)
  }

  /// Uploads a file, and returns the path of its page.
  private static func uploaded(_ client: DashboardClient, _ text: String) async throws -> String {
    let answer = await file(client, text)
    #expect(answer.status == 303)
    return try #require(answer.headers["Location"])
  }

  @Test("a file is uploaded, looked at, checked and imported in three steps")
  func steps() async throws {
    let fixture = try await Fixture()
    try await fixture.register("known") { $0.token = .set(Self.token(1)) }
    let client = try await DashboardClient.signedIn(fixture)
    let path = try await Self.uploaded(
      client,
      "Push Token,user_id,plan,<b>\n\(Self.token(1)),ann,gold,x\n\(Self.token(2)),bob,,y\nnope,eve,,z\n"
    )
    let checked = await client.get(path)
    for text in [
      "ready to import", "<dt>New</dt><dd>1</dd>", "<dt>Known, updated</dt><dd>1</dd>",
      "<dt>Rejected</dt><dd>1</dd>", "Import 2 devices", "must be an even number of hex digits",
      "“plan”", "&lt;b&gt;", "…" + Self.token(1).suffix(8),
    ] {
      #expect(checked.text.contains(text), "\(text)")
    }
    #expect(!checked.text.contains(Self.token(1)) && !checked.text.contains("<b>"))
    #expect(try await fixture.store.devices(ofUser: "ann", app: fixture.app.id, limit: 9).isEmpty)

    // The column that the names did not tell is chosen by hand.
    let chosen = await client.post(
      path,
      [
        "action": "check", "form": "csv", "platform": "iOS", "column-0": "token",
        "column-1": "user_id", "column-2": "custom.string.plan", "column-3": "",
      ])
    #expect(chosen.headers["Location"] == path)
    #expect(await client.get(path).text.contains("custom.string.plan\" selected"))
    #expect(await client.post(path, ["action": "start"]).status == 303)
    let done = await client.get(path)
    #expect(done.text.contains("<dt>Imported</dt><dd>2</dd>"))
    let ann = try await fixture.store.devices(ofUser: "ann", app: fixture.app.id, limit: 9)
    #expect(ann.map(\.id) == ["known"] && ann.first?.attributes["plan"]?.value == "gold")
    #expect(
      try await fixture.store.devices(ofUser: "bob", app: fixture.app.id, limit: 9).count == 1)
    let audit = try await fixture.store.audit(app: fixture.app.id, after: nil, limit: 20).elements
    let entry = try #require(audit.first { $0.action == "devices.import" })
    #expect(path.hasSuffix(entry.object ?? "none") && entry.key != nil)

    let lines = await client.get(path + "/lines.csv").text
    #expect(lines.hasPrefix("\"line\",\"problem\",\"Push Token\",\"user_id\",\"plan\",\"<b>\"\r\n"))
    #expect(
      lines.contains("\"4\",\"token must be") && lines.contains("\"nope\",\"eve\",\"\",\"z\""))
    #expect(await client.get(client.path("people/import")).text.contains(">imported</span>"))
    #expect(await client.post(path, ["action": "remove"]).status == 303)
    #expect(await client.get(path).text.contains("The file was removed"))
    #expect(await client.get(path + "/lines.csv").status == 404)
  }

  @Test("columns that cannot be imported are refused with what to choose, and the choice stays")
  func refusedColumns() async throws {
    let client = try await DashboardClient.signedIn(Fixture())
    let path = try await Self.uploaded(client, "a,b\n\(Self.token(1)),x\n")
    #expect(await client.get(path).text.contains("Choose what each column is"))
    let refused = await client.post(
      path,
      ["action": "check", "form": "csv", "platform": "iOS", "column-0": "", "column-1": "user_id"])
    #expect(
      refused.status == 422 && refused.text.contains("Choose the column with the push tokens"))
    #expect(refused.text.contains("<option value=\"user_id\" selected>"))
    #expect(await client.post(path, ["action": "start"]).status == 409)
    #expect(await client.post(path, ["action": "none"]).status == 422)
  }

  @Test(
    "exports of other services are read as such",
    arguments: [
      ("identifier,device_type,external_user_id\nTOKEN,0,ann\nx,1,bob\n", "Export of OneSignal"),
      (
        "{\"channels\":[{\"channel_id\":\"c\",\"device_type\":\"ios\",\"push_address\":\"TOKEN\",\"named_user_id\":\"ann\"},{\"channel_id\":\"d\",\"device_type\":\"web\"}]}",
        "Export of Airship"
      ),
      ("{\"push_token\":\"TOKEN\",\"user_id\":\"ann\"}\n{}\n", "Newline-delimited JSON"),
    ])
  func exports(_ text: String, _ form: String) async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.signedIn(fixture)
    let path = try await Self.uploaded(client, text.replacing("TOKEN", with: Self.token(1)))
    let page = await client.get(path).text
    #expect(page.contains(" selected>\(form)</option>"))
    #expect(page.contains("<dt>New</dt><dd>1</dd>") && page.contains("<dt>Rejected</dt><dd>1</dd>"))
    #expect(page.contains("<code>…\(Self.token(1).suffix(8))</code>"))
    #expect(await client.get(path + "/lines.csv").text.split(separator: "\r\n").count == 2)
    _ = await client.post(path, ["action": "start"])
    #expect(
      try await fixture.store.devices(ofUser: "ann", app: fixture.app.id, limit: 9).count == 1)
  }

  @Test("a larger file waits for a node, which another one replaces when it dies")
  func large() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.signedIn(fixture)
    let rows = (0..<20_000).map { "\(Self.token($0))," }.joined(separator: "\n")
    let path = try await Self.uploaded(client, "token,user_id\n" + rows)
    let id = String(path.split(separator: "/").last ?? "")
    #expect(await client.get(path).text.contains("goes on when you close this page"))
    #expect(await client.post(path, ["action": "start"]).status == 409)
    #expect(await client.post(path, ["action": "remove"]).status == 409)
    let runner = client.router.actions.importRunner
    // A node takes the check and dies.
    #expect(
      try await fixture.store.takeImport(nil, at: fixture.clock.now, for: ImportRunner.hold) != nil)
    #expect(try await runner.work() == false)
    fixture.clock.advance(by: ImportRunner.hold + .seconds(1))
    #expect(try await runner.work())
    let checked = try #require(try await fixture.store.fileImport(id, app: fixture.app.id))
    #expect(checked.state == .checked && checked.attempts == 2)
    #expect(checked.report?["accepted"] == 20_000)
    #expect(await client.post(path, ["action": "start"]).status == 303)
    #expect(await client.get(path).text.contains("Stop the import"))
    _ = await client.post(path, ["action": "stop"])
    #expect(try await runner.work() == false)
    _ = await client.post(path, ["action": "start"])
    #expect(try await runner.work())
    #expect(try await fixture.store.deviceCount(app: fixture.app.id) == 20_000)
    #expect(await client.get(path).text.contains("<dt>Imported</dt><dd>20000</dd>"))
  }

  @Test("a file at which servers die is given up")
  func attempts() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.signedIn(fixture)
    let rows = (0..<20_000).map { "\(Self.token($0))," }.joined(separator: "\n")
    let path = try await Self.uploaded(client, "token,user_id\n" + rows)
    for _ in 0..<FileImport.attemptLimit {
      #expect(
        try await fixture.store.takeImport(nil, at: fixture.clock.now, for: ImportRunner.hold)
          != nil)
      fixture.clock.advance(by: ImportRunner.hold + .seconds(1))
    }
    #expect(try await client.router.actions.importRunner.work())
    #expect(await client.get(path).text.contains("3 servers stopped while they read the file"))
  }

  @Test(
    "a file that cannot be read as a whole says why",
    arguments: [
      ("\u{1f}\u{8b}\u{8}compressed", 303, "compressed by gzip"), ("", 422, "the file is empty"),
      ("token|os_name\n", 303, "Choose what each column is"),
    ])
  func unreadable(_ text: String, _ status: Int, _ words: String) async throws {
    let client = try await DashboardClient.signedIn(Fixture())
    let bytes = text.hasPrefix("\u{1f}") ? [0x1f, 0x8b, 8, 0] + Array("x".utf8) : Array(text.utf8)
    _ = await client.get(client.path("people/import"))
    let answer = await client.upload(
      client.path("people/import"), [], file: bytes, named: "a.csv")
    #expect(answer.status == status)
    guard let location = answer.headers["Location"] else {
      #expect(answer.text.contains(words))
      return
    }
    if words.contains("gzip") {
      let fields = ["action": "check", "form": "ndjson"] as KeyValuePairs
      _ = await client.post(location, fields)
    }
    #expect(await client.get(location).text.contains(words))
  }

  @Test("a form without the session's token before the file is refused, and no file is kept")
  func forgery() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.signedIn(fixture)
    client.token = "0"
    let answer = await client.upload(
      client.path("people/import"), [], file: Array("token\n".utf8), named: "a.csv")
    #expect(answer.status == 403)
    #expect(try await fixture.store.fileImports(app: fixture.app.id, limit: 9).isEmpty)
  }

  @Test("only who manages the app imports", arguments: [APIKey.Role.push, .analytics])
  func rights(_ role: APIKey.Role) async throws {
    let fixture = try await Fixture()
    let admin = try await DashboardClient.signedIn(fixture)
    let path = try await Self.uploaded(admin, "token\n\(Self.token(1))\n")
    let client = try await DashboardClient.signedIn(fixture, as: role)
    #expect(await client.get(client.path("people/import")).status == 403)
    #expect(await client.get(path).status == 403)
    #expect(await client.get(path + "/lines.csv").status == 403)
    #expect(await client.post(path, ["action": "start"]).status == 403)
    #expect(await Self.file(client, "token\n").status == 403)
    if role == .push {
      #expect(!(await client.get(client.path("people")).text.contains("people/import")))
    }
    #expect(await admin.get(admin.path("people")).text.contains("people/import"))
  }

  @Test("an app keeps a few files at a time")
  func fileLimit() async throws {
    let client = try await DashboardClient.signedIn(Fixture())
    for _ in 0..<FileImport.fileLimit { _ = try await Self.uploaded(client, "token\naa\n") }
    let refused = await Self.file(client, "token\naa\n")
    #expect(refused.status == 409 && refused.text.contains("remove one of them first"))
  }
}
