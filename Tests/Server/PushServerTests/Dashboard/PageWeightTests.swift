import Foundation
import PushModel
import PushPayload
import TestSupport
import Testing
import _HTTPServer

@testable import PushServer

@Suite("The size of pages", .timeLimit(.minutes(10)))
struct PageWeightTests {
  private static let gzip = [("Accept-Encoding", "gzip, deflate, br")]

  @Test("all that the composer, the largest page, fetches is below 50 KB compressed")
  func weight() async throws {
    let fixture = try await Fixture()
    // As many devices as the page lists.
    for number in 1...30 {
      try await fixture.register("d\(number)") {
        $0.userID = .set("user-\(number)")
        $0.attributes = ["attribute_\(number)": Attribute(kind: .string, value: "value")]
      }
    }
    let client = DashboardClient(fixture)
    let home = try #require(await client.signIn(fixture.keys[.push] ?? "").headers["Location"])
    let path = home.replacing("/home", with: "/compose")
    #expect(home == client.path("home") && path == client.path("compose"))
    #expect(try await weight(of: path, client) < 50_000)
  }

  @Test(
    "the form of a draft fetches less than 60 KB compressed, with ten variants a little more",
    arguments: [(2, 60_000), (CampaignPlan.variantLimit, 70_000)])
  func draft(count: Int, bytes: Int) async throws {
    let all = try await CampaignFixture(devices: 5)
    let client = try await DashboardClient.signedIn(all.fixture, as: .push)
    let variants = (0..<count).map { number -> JSONValue in
      let text = (0..<20).map { "word\($0 * number)" }.joined(separator: " ")
      return [
        "key": .string("v\(number)"), "share": .integer(Int64(100 / count)),
        "payload": ["title": .string("Variant \(number)"), "alert": .string(text)],
      ]
    }
    let campaign = try await all.create(["variants": .array(variants)])
    let path = client.path("sends/campaigns/\(campaign)/edit")
    let weight = try await weight(of: path, client)
    #expect(weight < bytes, "\(weight)")
  }

  @Test("the review of a message is below 60 KB compressed")
  func review() async throws {
    let fixture = try await Fixture()
    for number in 1...30 { try await fixture.register("d\(number)") }
    let client = try await DashboardClient.signedIn(fixture)
    _ = await client.get(client.path("compose"))
    let text = (0..<40).map { "word\($0 * 7)" }.joined(separator: " ")
    let page = await client.post(
      client.path("compose"),
      [
        ("action", "review"), ("to", "*"), ("title", "A title"), ("text", text), ("once", "o1"),
      ], headers: Self.gzip)
    #expect(page.status == 200 && page.headers["Content-Encoding"] == "gzip")
    #expect(page.bytes.count < 48_000, "\(page.bytes.count)")
  }

  /// The compressed bytes of a page with its scripts and style sheets.
  private func weight(of path: String, _ client: DashboardClient) async throws -> Int {
    let page = await client.get(path)
    #expect(page.status == 200)
    var names = page.text.matches(of: /(?:src|href)="(\/assets\/[^"]+)"/).map { String($0.1) }
    var weight = (await client.get(path, headers: Self.gzip)).bytes.count
    var index = 0
    while index < names.count {
      let asset = await client.get(names[index], headers: Self.gzip)
      #expect(asset.status == 200 && asset.headers["Content-Encoding"] == "gzip")
      weight += asset.bytes.count
      let text = await client.get(names[index]).text
      let folder = names[index].prefix(through: names[index].lastIndex(of: "/") ?? path.startIndex)
      for match in text.matches(of: /from "\.\/([a-z]+\.js)"/) {
        let name = String(folder + match.1)
        if !names.contains(name) { names.append(name) }
      }
      index += 1
    }
    #expect(names.count >= 4)
    return weight
  }

  @Test(
    "a page is compressed if the client accepts gzip, with the same content",
    arguments: [
      ("gzip", true), ("br, gzip;q=0.5", true), ("gzip;q=0", false), ("gzip; q=0.0, br", false),
      ("br", false), ("", false), ("x-gzipped", false),
    ])
  func compressed(encodings: String, isCompressed: Bool) async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.signedIn(fixture)
    let plain = await client.get(client.path("audiences/new"))
    let answer = await client.get(
      client.path("audiences/new"), headers: [("Accept-Encoding", encodings)])
    #expect((answer.headers["Content-Encoding"] == "gzip") == isCompressed)
    #expect(answer.headers["Vary"] == "Accept-Encoding" && plain.headers["Vary"] != nil)
    guard isCompressed else {
      #expect(answer.bytes == plain.bytes)
      return
    }
    let file = fixture.directory.path("page.gz")
    try Data(answer.bytes).write(to: URL(filePath: file))
    let unpacked = await runProgram("/bin/gzip", ["-dc", file]).output
    #expect(unpacked + "\n" == plain.text || unpacked == plain.text)
  }

  @Test("short answers, pictures and event streams are not compressed")
  func plain() {
    let request = HTTPRequest(
      method: "GET", path: "/", headers: [(name: "Accept-Encoding", value: "gzip")])
    let long = [UInt8](repeating: 65, count: 1400)
    for (type, bytes, isCompressed) in [
      ("text/html", long, true), ("text/html", Array(long.dropLast()), false),
      ("image/png", long, false), ("text/event-stream", [], false),
    ] {
      let response = HTTPResponse(status: 200, headers: [("Content-Type", type)], body: bytes)
        .compressed(for: request)
      #expect(response.headers.contains { $0.name == "Content-Encoding" } == isCompressed)
    }
  }
}
