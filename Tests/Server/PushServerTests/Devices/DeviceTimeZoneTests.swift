import Foundation
import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The time zone of a device")
struct DeviceTimeZoneTests {
  static let zones: [(text: String, stored: String?)] = [
    ("Europe/Berlin", "Europe/Berlin"), ("europe/berlin", "Europe/Berlin"),
    ("US/Pacific", "US/Pacific"),
    ("Asia/Calcutta", "Asia/Calcutta"), ("EST", "EST"), ("Etc/GMT+5", "Etc/GMT+5"), ("utc", "UTC"),
    ("W. Europe Standard Time", "Europe/Berlin"), ("india standard time", "Asia/Calcutta"),
    ("+05:30", "GMT+0530"), ("-0800", "GMT-0800"), ("+5", "GMT+0500"), ("UTC+5", "GMT+0500"),
    ("GMT+05:30", "GMT+0530"), ("GMT+0530", "GMT+0530"), ("Z", "GMT"), ("+00:00", "GMT"),
    ("+14:00", "GMT+1400"), ("+14:01", nil), ("-12:00", "GMT-1200"), ("-12:01", nil),
    ("+05:60", nil),
    ("5:30", nil), ("+5:3", nil), ("IST", nil), ("Mars/Phobos", nil), ("", nil), ("Factory", nil),
    ("Europe/Berlin ", nil), ("../etc/passwd", nil),
  ]

  @Test(
    "a name in any letter case, a zone of Windows and an offset are understood", arguments: zones)
  func normalized(text: String, stored: String?) {
    #expect(DeviceTimeZone.normalized(text) == stored)
    #expect(stored == nil || stored.flatMap(TimeZone.init(identifier:)) != nil)
  }

  @Test("every name of the tables is a zone of the system")
  func tables() {
    let names = DeviceTimeZone.databaseTable.split(whereSeparator: \.isWhitespace).map(String.init)
    let windows = DeviceTimeZone.windowsTable.split(separator: "\n").map {
      String($0.prefix { $0 != "=" })
    }
    #expect(names.count > 500 && windows.count > 100)
    #expect((names + windows).filter { DeviceTimeZone.normalized($0) == nil } == [])
  }

  @Test(
    "a filter has the zone as devices have it, or is refused with its path", arguments: zones)
  func filter(text: String, stored: String?) {
    let filters: JSONValue = [["name": "time_zone", "criteria": [.string(text)]]]
    do throws(RequestError) {
      let read = try Target.filters(BodyValue(filters))
      #expect(read.map(\.criteria) == [[.equals(.string(stored ?? "none"))]])
    } catch {
      #expect(stored == nil && error.status == 422)
      #expect(error.message == "$[0].criteria[0] must be \(DeviceTimeZone.form)")
    }
  }

  @Test("a filter finds a device by any name of its zone")
  func found() async throws {
    let fixture = try await Fixture()
    let body = #"{"device":{"push_token":"0a0d","time_zone":"W. Europe Standard Time"}}"#
    #expect(await fixture.request("PUT", "/v6/devices/d", body: body).status == 200)
    for name in ["W. Europe Standard Time", "europe/berlin", "Europe/Berlin"] {
      let to = #"{"audience":{"to":[{"name":"time_zone","criteria":["\#(name)"]}]}}"#
      let answer = await fixture.request("POST", "/v6/audiences/count", body: to)
      #expect(answer.json["device_count"] == 1, "\(answer.text)")
    }
  }

  @Test("the clock of a device without a time zone is that of UTC, and an unknown zone has none")
  func clock() {
    #expect(DeviceTimeZone.clock(ofDevice: nil)?.secondsFromGMT() == 0)
    #expect(DeviceTimeZone.clock(ofDevice: "Mars/Phobos") == nil)
    // Stored before names were checked.
    let berlin = DeviceTimeZone.clock(ofDevice: "W. Europe Standard Time")
    #expect(berlin?.identifier == "Europe/Berlin")
  }

  @Test("a time zone that is not understood is in dropped, and is not stored")
  func dropped() async throws {
    let fixture = try await Fixture()
    let body = #"{"device":{"push_token":"0a0d","platform":"iOS","time_zone":"Mars/Phobos"}}"#
    let answer = await fixture.request("PUT", "/v6/devices/d", body: body)
    #expect(answer.status == 200)
    #expect(answer.json["dropped"]?.array?.first?["path"] == "$.device.time_zone")
    #expect(try await fixture.store.device("d", app: fixture.app.id)?.timeZone == nil)
    let offset = #"{"device":{"time_zone":"+05:30"}}"#
    #expect(await fixture.request("PUT", "/v6/devices/d", body: offset).json["dropped"] == [])
    let stored = try #require(try await fixture.store.device("d", app: fixture.app.id)?.timeZone)
    let wall = try #require(Timestamp(iso8601: "2026-01-01T09:00:00Z"))
    let zone = try #require(DeviceTimeZone.clock(ofDevice: stored))
    #expect(LocalTime.instant(of: wall, zone: zone).iso8601 == "2026-01-01T03:30:00.000Z")
  }
}
