import Foundation
import PushModel
import PushPayload
import PushStore
import TestSupport
import Testing
import _HTTPServer

@testable import PushServer

@Suite("Uploads", .timeLimit(.minutes(10)))
struct UploadsTests {
  private func media(_ name: String) throws -> [UInt8] {
    try Fixtures.bytes("media/\(name)")
  }

  @Test(
    "an upload is stored under a random name, and served with the type of its bytes",
    arguments: [
      ("picture.png", "image/png"), ("cloudy.gif", "image/gif"), ("gold.mp4", "video/mp4"),
    ])
  func kept(file: String, type: String) async throws {
    let client = try await DashboardClient.signedIn(Fixture(), as: .push)
    _ = await client.get(client.path("compose"))
    let bytes = try media(file)
    // The file name claims another type and contains a line break.
    let answer = await client.upload(
      client.path("compose"), ["action": "preview"], file: bytes, named: "x\r\n.html")
    let pattern = /http:\/\/push\.example(\/media\/[0-9a-f]{32}\.[a-z0-9]+)/
    let path = try #require(answer.text.firstMatch(of: pattern).map { String($0.1) })
    client.cookie = nil
    let served = await client.get(path)
    #expect(served.status == 200)
    #expect(served.headers["Content-Type"] == type)
    #expect(served.headers["X-Content-Type-Options"] == "nosniff")
    let name = String(path.dropFirst("/media/".count))
    #expect(
      FileManager.default.contents(atPath: client.uploads + "/" + name) == Data(bytes))
    #expect(await client.get("/media/..%2fmartlet.sqlite").status == 404)
    #expect(await client.get("/media/\(String(repeating: "0", count: 32)).png").status == 404)
  }

  @Test(
    "files of other types are refused, whatever their name is",
    arguments: [
      "<!doctype html><script>alert(1)</script>", "<svg xmlns='http://www.w3.org/2000/svg'/>",
      "plain text", "RIFF....WEBPVP8 ", "%PDF-1.7", "\u{1}\u{2}",
    ])
  func refused(content: String) async throws {
    let client = try await DashboardClient.signedIn(Fixture())
    _ = await client.get(client.path("compose"))
    let answer = await client.upload(
      client.path("compose"), ["title": "kept"], file: Array(content.utf8), named: "x.png")
    #expect(answer.status == 415)
    #expect(answer.text.contains("value=\"kept\""))
    let kept = try? FileManager.default.contentsOfDirectory(atPath: client.uploads)
    #expect(kept ?? [] == [])
  }

  @Test(
    "a file of each kind's size limit is stored, one byte more is answered 413",
    arguments: [
      ("\u{89}PNG\r\n\u{1A}\n", 10_000_000, ".png"),
      ("\0\0\0\u{18}ftypmp42\0\0\0\0mp42isom", 50_000_000, ".mp4"),
      ("ID3\u{3}\0\0\0\0\0\0", 5_000_000, ".mp3"),
    ])
  func limits(start: String, count: Int, type: String) async throws {
    let fixture = try await Fixture()
    let uploads = Uploads(folder: fixture.directory.path("media"), store: fixture.store)
    let head = start.unicodeScalars.map { UInt8($0.value) }
    let most = head + [UInt8](repeating: 0, count: count - head.count)
    let name = try await uploads.keep(most[...], app: fixture.app.id, at: fixture.clock.now)
    #expect(name.hasSuffix(type))
    let refusal = #expect(throws: RequestError.self) { try Uploads.type(of: (most + [0])[...]) }
    #expect(refusal?.status == 413)
  }

  @Test("uploads beyond the app's quota are refused, and leave no file")
  func quota() async throws {
    let fixture = try await Fixture()
    let folder = fixture.directory.path("media")
    let file = "\u{89}PNG\r\n\u{1A}\n".unicodeScalars.map { UInt8($0.value) }
    let uploads = Uploads(folder: folder, store: fixture.store, quota: 2 * file.count)
    func keep() async throws {
      _ = try await uploads.keep(file[...], app: fixture.app.id, at: fixture.clock.now)
    }
    for _ in 0..<2 { try await keep() }
    let error = await #expect(throws: StoreError.self) { try await keep() }
    #expect(error?.code == .conflict)
    #expect(error?.message.contains("--upload-quota") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
  }

  @Test("an upload of 60 MB is answered 413 by its Content-Length, one without a session 401")
  func endless() async throws {
    let fixture = try await Fixture()
    let server = try Self.server(fixture)
    let port = server.port
    let path = "/apps/\(fixture.app.id)/compose"
    let long = await runProgram(
      "/usr/bin/curl",
      [
        "-s", "-o", "/dev/null", "-w", "%{http_code}", "-X", "POST",
        "-H", "Content-Length: 60000000", "-H", "Expect: 100-continue",
        "http://127.0.0.1:\(port)\(path)",
      ])
    #expect(long.output == "413")
    let endless = await runProgram(
      "/bin/sh",
      [
        "-c",
        """
        curl -s -o /dev/null -w '%{http_code}' -X POST -H 'Transfer-Encoding: chunked' \
          -T /dev/zero http://127.0.0.1:\(port)\(path)
        """,
      ])
    #expect(endless.output == "401")
    #expect(!FileManager.default.fileExists(atPath: fixture.directory.path("media")))
    #expect(Router.bodyLimit(method: "POST", path: path) == 51 << 20)
    #expect(Router.bodyLimit(method: "POST", path: "/apps/x/sends") == 1 << 20)
    #expect(!Uploads.isPath("/v6/notifications"))
    await server.stop()
  }

  @Test("uploads answer HEAD and range requests, and may be cached for ever")
  func parts() async throws {
    let fixture = try await Fixture()
    let folder = fixture.directory.path("media")
    let bytes = try media("gold.mp4")
    let name = try await Uploads(folder: folder, store: fixture.store)
      .keep(bytes[...], app: fixture.app.id, at: ServerClock.system.now())
    let server = try Self.server(fixture)
    let url = "http://127.0.0.1:\(server.port)/media/\(name)"
    let head = await runProgram("/usr/bin/curl", ["-s", "-I", url]).output
    for line in [
      "HTTP/1.1 200", "Content-Length: \(bytes.count)", "Content-Type: video/mp4",
      "Accept-Ranges: bytes", "X-Content-Type-Options: nosniff",
      "Cache-Control: public, max-age=31536000, immutable",
    ] {
      #expect(head.contains(line), "\(head)")
    }
    let part = await runProgram(
      "/usr/bin/curl", ["-s", "-D", "-", "-o", "/dev/null", "-r", "0-1", url]
    ).output
    #expect(part.contains("HTTP/1.1 206"))
    #expect(part.contains("Content-Range: bytes 0-1/\(bytes.count)"))
    let none = await runProgram(
      "/usr/bin/curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", "-r", "999999999-", url])
    #expect(none.output == "416")
    await server.stop()
  }

  @Test("an uploaded video plays below the preview; a remote video does not")
  func film() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.signedIn(fixture)
    _ = await client.get(client.path("compose"))
    let uploaded = await client.upload(
      client.path("compose"), ["action": "preview", "to": "*", "text": "Watch"],
      file: try media("gold.mp4"), named: "gold.mp4")
    let url = try #require(
      uploaded.text.firstMatch(of: /http:\/\/push\.example(\/media\/[0-9a-f]{32}\.mp4)/))
    #expect(uploaded.text.contains("preload=\"metadata\" aria-label=\"The film\" src=\"\(url.1)\""))
    for (media, film) in [
      (String(url.0), JSONValue.string(String(url.1))), ("https://x.example/a.mp4", .null),
      ("https://x.example/media/\(String(repeating: "0", count: 32)).mp4", .null), ("", .null),
    ] {
      let answer = await client.post(
        client.path("compose"), ["to": "*", "text": "Watch", "media": media],
        headers: [("Accept", "application/json")])
      #expect(answer.json["film"] == film)
    }
  }

  @Test("an old upload that nothing references is removed; one that a send references stays")
  func removed() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let folder = fixture.directory.path("media")
    let uploads = Uploads(folder: folder, store: fixture.store)
    let picture = try media("picture.png")
    func keep() async throws -> String {
      try await uploads.keep(picture[...], app: fixture.app.id, at: fixture.clock.now)
    }
    func isThere(_ name: String) async throws -> Bool { try await uploads.file(name) != nil }
    let (sent, unused) = (try await keep(), try await keep())
    // A file that is not in the store may belong to another program.
    let stray = folder + "/" + String(repeating: "a", count: 32) + ".png"
    try Data(picture).write(to: URL(filePath: stray))
    let answer = await fixture.send(
      [
        "alert": "x", "mutable_content": true,
        "_martlet": ["media": [["url": .string("https://x.example/media/\(sent)")]]],
      ])
    #expect(answer.status == 201)
    fixture.clock.advance(by: .days(90) + .seconds(1))
    let fresh = try await keep()
    let housekeeping = Housekeeping(
      store: fixture.store, retention: Retention(), uploads: uploads,
      clock: fixture.clock.serverClock, log: { _ in })
    let running = Task { await housekeeping.run() }
    try await until { try await !isThere(unused) }
    running.cancel()
    await running.value
    #expect(try await isThere(sent))
    #expect(try await isThere(fresh))
    #expect(FileManager.default.fileExists(atPath: stray))
  }

  @Test(
    "on PostgreSQL every node serves an upload, also to concurrent requests",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
  func nodes() async throws {
    let fixture = try await Fixture()
    let film = try media("gold.mp4")
    try await PostgreSQLCluster().use { cluster in
      let stores = [
        try await PostgreSQLPushStore(url: cluster.url, connections: 2, leaseClock: .caller),
        try await PostgreSQLPushStore(url: cluster.url, connections: 2, leaseClock: .caller),
      ]
      try await stores[0].add(fixture.app, keys: [])
      let nodes = stores.enumerated().map { number, store in
        Uploads(folder: fixture.directory.path("node-\(number)"), store: store)
      }
      let name = try await nodes[0].keep(film[...], app: fixture.app.id, at: fixture.clock.now)
      let served = try await withThrowingTaskGroup(of: String?.self) { group in
        for number in 0..<20 { group.addTask { try await nodes[number % 2].file(name) } }
        return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
      }
      #expect(served.count == 2)
      for path in served {
        #expect(FileManager.default.contents(atPath: path ?? "") == Data(film))
      }
      #expect(try await nodes[1].file(String(repeating: "0", count: 32) + ".png") == nil)
      // Copies of removed uploads are removed by the sweep.
      try await stores[0].deleteApp(fixture.app.id)
      try await nodes[1].sweep(before: fixture.clock.now + .seconds(1))
      #expect(try await nodes[1].file(name) == nil)
      #expect(try await nodes[0].file(name) != nil)
    }
  }

  private static func server(_ fixture: Fixture) throws -> PushServer {
    var configuration = PushServer.Configuration()
    configuration.site.mediaFolder = fixture.directory.path("media")
    return try PushServer.started(
      configuration, store: fixture.store, secretKey: fixture.secretKey, sender: fixture.apple,
      log: { _ in })
  }
}
