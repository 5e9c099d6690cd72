import APNs
import Foundation
import PushModel
import PushPayload
import PushServer
import PushStore
import TestSupport
import Testing
import _HTTPServer

@Suite("The server over real HTTP", .timeLimit(.minutes(10)))
struct LiveServerTests {
  /// A running server over the fixture's store, called with `curl`.
  private func serve(
    _ fixture: Fixture, _ body: (_ url: String) async throws -> Void
  ) async throws {
    let server = try PushServer.started(
      .init(), store: fixture.store, secretKey: fixture.secretKey, sender: fixture.apple
    ) { _ in }
    do {
      try await body("http://127.0.0.1:\(server.port)")
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  @Test("a device is registered, a push is posted with curl and its counts are read")
  func wholeWay() async throws {
    let fixture = try await Fixture()
    try await serve(fixture) { url in
      let device = try await curl(
        "PUT", url + "/v6/devices/d1", key: fixture.keys[.device],
        body: #"{"device":{"push_token":"\#(Fixture.token("d1"))","tags":["news"]}}"#)
      #expect(device.status == 200)
      let sent = try await curl(
        "POST", url + "/v6/notifications", key: fixture.keys[.push],
        body:
          #"{"notification":{"to":[{"name":"tags","criteria":["news"]}],"payload":{"alert":"Hé ☀︎"}}}"#
      )
      #expect(sent.status == 201)
      let id = sent.json["notification"]?["id"]?.string ?? ""
      var state = sent.json
      try await until {
        state = try await curl(
          "GET", url + "/v6/notifications/\(id)", key: fixture.keys[.push]
        ).json
        return state["state"] == "complete"
      }
      #expect(state["counts"]?["sent"] == 1)
      #expect(fixture.apple.taken.first?.payload["aps"]?["alert"] == "Hé ☀︎")
    }
  }

  @Test("a starting server becomes ready by itself")
  func ready() async throws {
    let fixture = try await Fixture()
    for number in 0..<20 { try await fixture.register("d\(number)") }
    try await serve(fixture) { url in
      try await until {
        let status = try await curl("GET", url + "/readyz", key: nil).status
        #expect(status == 200 || status == 503)
        return status == 200
      }
    }
  }

  @Test("a body of 1 MiB is read and one byte more is 413; imports take more")
  func bodyLimit() async throws {
    let fixture = try await Fixture()
    try await serve(fixture) { url in
      let frame = #"{"notification":{"to":"*","payload":{"alert":""}}}"#.utf8.count
      for (excess, status) in [(0, 422), (1, 413)] {
        let text = String(repeating: "x", count: (1 << 20) - frame + excess)
        let answer = try await curl(
          "POST", url + "/v6/notifications", key: fixture.keys[.push],
          body: #"{"notification":{"to":"*","payload":{"alert":"\#(text)"}}}"#,
          expectsContinue: true)
        #expect(answer.status == status)
        #expect(answer.json["error"]?.string != nil)
      }
      let rows = (0..<20000).map { "\(Fixture.token("d\($0)")),iOS" }
      let csv = "token,os_name\n" + rows.joined(separator: "\n")
      #expect(csv.utf8.count > 1 << 20)
      for path in ["/v6/devices/import", "//v6/devices/import", "/v6/devices/%69mport/"] {
        let imported = try await curl(
          "POST", url + path, key: fixture.keys[.admin], body: csv, type: "text/csv")
        #expect(imported.json["accepted"] == 20000, "\(path)")
      }
    }
  }

  @Test("a device's body of more values than the server has memory for is 413")
  func bodyValues() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    try await serve(fixture) { url in
      for path in ["/v6/devices/d/sync", "/v6/devices/d/events", "/v6/receipts"] {
        let values = String(repeating: "[],", count: 300_000)
        let answer = try await curl(
          "POST", url + path, key: fixture.keys[.device], body: #"{"events":[\#(values)0]}"#)
        #expect(answer.status == 413)
        #expect(answer.json["error"]?.string?.contains("too many values") == true)
      }
    }
  }

  @Test(
    "the memory of a body is that of its type, and JSON without one",
    arguments: [
      (nil, BodyCost.json), ("application/json; charset=utf-8", .json), ("text/csv", .json),
      ("application/x-www-form-urlencoded", .text), ("Multipart/Form-Data; boundary=x", .bytes),
    ] as [(String?, BodyCost)])
  func bodyCost(type: String?, cost: BodyCost) {
    let head = HTTPRequest(
      method: "POST", path: "/", headers: type.map { [(name: "Content-Type", value: $0)] } ?? [])
    #expect(Router.bodyCost(of: head) == cost)
  }

  @Test("an app that another process stored is seen at once")
  func appBeside() async throws {
    let fixture = try await Fixture()
    try await serve(fixture) { url in
      let beside = try SQLitePushStore(path: fixture.store.path)
      let created = try Fixture.newApp("com.example.beside").make(
        at: fixture.clock.now, sealedWith: fixture.secretKey)
      try await beside.add(created.app, keys: created.records)
      let key = created.keys.first { $0.role == .push }?.key
      let answer = try await curl("GET", url + "/v6/notifications", key: key)
      #expect(answer.status == 200)
    }
  }
}

struct CurlAnswer: Sendable {
  var status: Int
  var body: Data
  var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
}

/// One request by the `curl` program; the body goes by a file, so that it may be large.
///
/// A body that `expectsContinue` is sent only if the server asks for it. Otherwise a server that refuses the head and
/// closes the connection resets it, and the answer may be lost.
func curl(
  _ method: String, _ url: String, key: String?, body: String? = nil,
  type: String = "application/json", expectsContinue: Bool = false
) async throws -> CurlAnswer {
  let directory = TemporaryFolder()
  let (sent, received) = (directory.path("sent"), directory.path("received"))
  var arguments = [
    "--silent", "--show-error", "--request", method, "--output", received,
    "--write-out", "%{http_code}", "--header", "Content-Type: \(type)", "--max-time", "300",
  ]
  arguments +=
    expectsContinue
    ? ["--header", "Expect: 100-continue", "--expect100-timeout", "300"] : ["--header", "Expect:"]
  if let key { arguments += ["--user", ":\(key)"] }
  if let body {
    try Data(body.utf8).write(to: URL(filePath: sent))
    arguments += ["--data-binary", "@\(sent)"]
  }
  let code = await runProgram("/usr/bin/curl", arguments + [url]).output
  let data = (try? Data(contentsOf: URL(filePath: received))) ?? Data()
  return CurlAnswer(status: Int(code) ?? 0, body: data)
}
