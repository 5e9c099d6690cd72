import Foundation
import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("Cursors", .timeLimit(.minutes(10)))
struct CursorTests {
  private static let day = Duration.seconds(86_400)

  @Test(
    "a cursor is valid for a day and for its own list, also where a clock is five minutes behind")
  func life() throws {
    let made = Timestamp(milliseconds: 1_700_000_000_000)
    let text = Cursor(position: "7/a").text(of: "messages-x", at: made)
    let behind = Duration.zero - .seconds(300)
    for age in [behind, .zero, Self.day - .milliseconds(1)] {
      #expect(try Cursor(text, of: "messages-x", at: made + age).position == "7/a")
    }
    for (list, age) in [
      ("messages-x", Self.day), ("messages-x", behind - .milliseconds(1)), ("messages-y", .zero),
      ("", .zero),
    ] {
      #expect(throws: RequestError.self) { try Cursor(text, of: list, at: made + age) }
    }
  }

  @Test(
    "a text that is no cursor is refused",
    arguments: [
      "x", "!", "MTcw", "7/messages-x/1", "TcwMA==",
      // Times at the ends of the range, as of a program that tries texts.
      base64("\(Int64.min)/messages-x/7"), base64("\(Int64.max)/messages-x/7"),
    ])
  func invented(_ text: String) {
    #expect(throws: RequestError.self) {
      try Cursor(text, of: "messages-x", at: Timestamp(milliseconds: 1_700_000_000_000))
    }
  }

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  struct List: Sendable, CustomTestStringConvertible {
    var path: String
    var elements: String
    /// The number of elements that are made, and of those on a page.
    var count: Int
    var page: Int
    var testDescription: String { path }
  }

  @Test(
    "every list is read to its end by cursors, which are valid for a day and for their app only",
    arguments: [
      List(path: "/v6/notifications", elements: "notifications", count: 51, page: 50),
      List(path: "/v6/messages", elements: "messages", count: 51, page: 50),
      List(path: "/v6/devices/d/messages", elements: "messages", count: 51, page: 50),
      List(path: "/v6/audit", elements: "entries", count: 101, page: 100),
    ])
  func lists(_ list: List) async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let isOfMessages = list.elements == "messages"
    for _ in 0..<list.count {
      let made = await fixture.request(
        "POST", isOfMessages ? "/v6/messages" : "/v6/notifications",
        body: isOfMessages
          ? #"{"message":{"to":"*","title":"Hi"}}"#
          : #"{"notification":{"to":"*","payload":{"alert":"Hi"}}}"#)
      #expect(made.status == 201)
    }
    let role: APIKey.Role = list.path == "/v6/audit" ? .admin : .push
    let first = await fixture.request("GET", list.path, role: role)
    #expect(first.json[list.elements]?.array?.count == list.page)
    let cursor = try #require(first.json["meta"]?["cursor"]?.string)
    let next = list.path + "?cursor=\(cursor)"
    fixture.clock.advance(by: Self.day - .milliseconds(1))
    let second = await fixture.request("GET", next, role: role)
    #expect(second.json[list.elements]?.array?.count == list.count - list.page)
    #expect(second.json["meta"]?["cursor"]?.isNull == true)
    fixture.clock.advance(by: .milliseconds(1))
    let late = await fixture.request("GET", next, role: role)
    #expect(late.status == 404 && late.json["error"]?.string?.contains("expired") == true)
  }
}
