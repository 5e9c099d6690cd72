import Foundation
import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The calendar", .timeLimit(.minutes(10)))
struct CalendarPagesTests {
  @Test(
    "a month has whole weeks, and a week seven days",
    arguments: [
      ("month", "2023-11-14", "2023-10-30", "2023-12-03", "November 2023"),
      ("month", "2021-02-01", "2021-02-01", "2021-02-28", "February 2021"),
      ("month", "2024-02-29", "2024-01-29", "2024-03-03", "February 2024"),
      ("week", "2023-11-14", "2023-11-13", "2023-11-19", "Week of 13 November 2023"),
      ("week", "2023-12-31", "2023-12-25", "2023-12-31", "Week of 25 December 2023"),
    ])
  func span(length: String, day: String, first: String, last: String, title: String) throws {
    let length = try #require(CalendarSpan.Length(rawValue: length))
    let day = try #require(CalendarDay(day))
    let span = CalendarSpan(length, with: day)
    #expect(span.days.first?.text == first && span.days.last?.text == last)
    #expect(span.days.count.isMultiple(of: 7) && span.has(day) && span.title == title)
    #expect(span.next.previous == span && span.previous.next == span && !span.next.has(day))
  }

  @Test("a send, a campaign and its later days stand on their days")
  func entries() async throws {
    let all = try await CampaignFixture(devices: 3)
    let fixture = all.fixture
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    let path = client.path("sends/calendar")
    #expect(await client.get(path).text.contains("Nothing is planned here"))
    func post(_ path: String, _ body: String) async {
      let answer = await fixture.request("POST", path, body: body)
      #expect(answer.status == 201, "\(answer.text)")
    }
    await post(
      "/v6/notifications",
      #"{"notification": {"to": "*", "payload": {"title": "Sale", "alert": "x"}, "scheduled_at": "2023-11-16T23:30:00Z"}}"#
    )
    await post(
      "/v6/notifications",
      #"{"notification": {"to": "*", "payload": {"title": "Breakfast", "alert": "x"}, "scheduled_at": "2023-11-17T08:00:00", "local_time": true}}"#
    )
    let weekly = try await all.start([
      "name": "Weekly", "variants": [["key": "a", "payload": ["alert": "Hi"]]],
      "when": ["every": ["unit": "week", "days": ["mon"], "time": "09:00", "zone": "UTC"]],
    ])
    _ = try await all.start([
      "name": "Cart", "when": ["trigger": ["event": "cart"]],
      "variants": [["key": "a", "payload": ["alert": "Still there"]]],
    ])
    func days(_ query: String) async throws -> [String: String] {
      let page = await client.get(path + query)
      #expect(page.status == 200)
      let grid = page.text.components(separatedBy: "</ol>")[0]
      let parts = grid.components(separatedBy: "<li data-day=\"").dropFirst()
      return Dictionary(uniqueKeysWithValues: parts.map { (String($0.prefix(10)), String($0)) })
    }
    let month = try await days("?day=2023-11-01")
    #expect(month.count == 35)
    #expect(month["2023-11-16"]?.contains("Sale") == true)
    #expect(month["2023-11-16"]?.contains("data-at=\"2023-11-16T23:30:00.000Z\">") == true)
    #expect(month["2023-11-17"]?.contains("08:00 on each device’s clock") == true)
    let mondays = month.filter { $0.value.contains("Weekly") }.keys.sorted()
    #expect(mondays == ["2023-11-20", "2023-11-27"])
    #expect(month.values.allSatisfy { !$0.contains("Cart") })
    #expect(
      month["2023-11-20"]?.contains(client.path("sends/campaigns/\(weekly.campaign)")) == true)
    let week = try await days("?view=week&day=2023-12-08")
    #expect(week.count == 7 && week["2023-12-04"]?.contains("Weekly") == true)
    // The day before a week is there for a viewer whose clock is ahead.
    let after = await client.get(path + "?view=week&day=2023-11-26").text
    #expect(after.contains("id=\"calendar-beyond\"") && after.contains("Weekly"))
  }

  @Test("a day that is none, or is too far away, is refused or counts as today")
  func days() async throws {
    let client = try await DashboardClient.signedIn(Fixture(), as: .push)
    let path = client.path("sends/calendar")
    for (day, status) in [
      ("1970-02-01", 200), ("1970-01-31", 422), ("9990-01-01", 200), ("9990-01-02", 422),
      ("2023-02-30", 200), ("x", 200),
    ] {
      #expect(await client.get(path + "?day=\(day)").status == status, "\(day)")
      #expect(await client.get(path + "?view=week&day=\(day)").status == status, "\(day)")
    }
  }
}
