import PushPayload
import Testing

@testable import PushServer

/// The exports of other services; each line of the result is a device as imports read it.
@Suite("Exports of other push services")
struct VendorExportTests {
  private func lines(_ export: VendorExport) throws -> [JSONValue?] {
    let text = String(decoding: export.lines, as: UTF8.self)
    return try text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
      line in
      line.isEmpty ? nil : try JSONValue(parsing: String(line))
    }
  }

  /// The columns are those of OneSignal's reference, "Export subscriptions CSV", with three extra fields.
  @Test("OneSignal's columns become members of a device, and rejections have the export's lines")
  func oneSignal() throws {
    let csv = #"""
      id,identifier,session_count,language,timezone,game_version,device_os,device_type,device_model,ad_id,tags,last_active,playtime,amount_spent,created_at,invalid_identifier,badge_count,external_user_id,notification_types,timezone_id
      1f,AA01,3,en,3600,2.1,17.4,0,"iPhone14,5",,"{""plan"":""gold"",""score"":""7"",""none"":""""}",2026-01-01,10,0,2025-01-01,f,0,ada,1,Europe/Paris
      2f,d1:APA91b,1,de,0,2.1,14,1,Pixel,,{},,,,,f,0,,1,
      3f,aa03,1,de,0,2.1,16,0,iPhone,,{},,,,,t,0,,1,
      4f,,1,de,0,2.1,16,0,iPhone,,{},,,,,f,0,,1,
      5f,aa05,1,fr,0,,16,0,"two
      lines",,,,,,,f,0,,-2,
      6f,aa07
      7f,aa08,1,it,0,,16,iOS,iPhone,,,,,,,false,0,,,
      """#
    let export = try VendorExport(Array(csv.utf8), of: .oneSignal)
    let found = try lines(export)
    #expect(
      found[0] == [
        "push_token": "AA01", "platform": "iOS", "user_id": "ada", "locale": "en",
        "time_zone": "Europe/Paris", "app_version": "2.1", "os_version": "17.4",
        "push_enabled": true,
        "user_attributes": [
          "plan": ["type": "string", "value": "gold"], "score": ["type": "string", "value": "7"],
        ],
      ])
    #expect(found[1]?["push_token"] == "aa05")
    #expect(found[1]?["push_enabled"] == false)
    #expect(found[2]?["push_token"] == "aa08")
    #expect(found[2]?["push_enabled"] == true)
    #expect(found.count == 3)
    let located = export.located([(2, "erased"), (3, "erased")])
    #expect(located.map(\.line) == [6, 9])
    #expect(located[0].error == "erased")
    #expect(
      export.rejected.map(\.line) == [3, 4, 5, 8])
    #expect(export.rejected.map(\.error)[0] == "device_type 1 is no iOS device")
    #expect(export.rejected[1].error.contains("invalid_identifier"))
    #expect(export.rejected[2].error.contains("no token"))
    #expect(export.rejected[3].error.contains("has 2 fields"))
  }

  /// The members are those of Airship's "Channel listing object".
  @Test("Airship's channels become devices; the second page is on a line of its own")
  func airship() throws {
    let pages = #"""
      {"ok":true,"channels":[{"channel_id":"9c36e8c7","device_type":"ios","installed":true,"opt_in":true,"background":true,"push_address":"FE66489F","named_user_id":"ada","alias":null,"tags":["vip","beta"],"ios":{"badge":0,"quiettime":{"start":null,"end":null},"tz":"America/Los_Angeles"},"device_attributes":{"ua_app_version":"2.1","ua_device_os":"17.4","ua_language":"en","ua_country":"US"}},{"channel_id":"2","device_type":"android","push_address":"x","opt_in":true}],"next_page":"https://go.urbanairship.com/api/channels?start=3"}

      {"ok":true,"channels":[{"channel_id":"3","device_type":"ios","installed":false,"push_address":"aa03"},{"channel_id":"4","device_type":"ios","push_address":null},{"channel_id":"5","device_type":"ios","opt_in":false,"push_address":"aa05","tags":[],"named_user_id":null}]}
      """#
    let export = try VendorExport(Array(pages.utf8), of: .airship)
    let found = try lines(export)
    #expect(
      found[0] == [
        "push_token": "FE66489F", "platform": "iOS", "user_id": "ada", "push_enabled": true,
        "tags": ["vip", "beta"], "time_zone": "America/Los_Angeles", "locale": "en_US",
        "app_version": "2.1", "os_version": "17.4",
      ])
    #expect(found[1] == ["push_token": "aa05", "platform": "iOS", "push_enabled": false])
    #expect(found.count == 2)
    // By the lines of the file, and in a line by the channel's id.
    #expect(export.rejected.map(\.line) == [1, 3, 3])
    #expect(
      export.rejected.map(\.error) == [
        "channel 2: device_type android is no iOS device",
        "channel 3: the app is not installed on it any more",
        "channel 4: it has no token (push_address)",
      ])
    let located = export.located([(1, "wrong"), (2, "wrong"), (3, "of no device")])
    #expect(located.map(\.line) == [1, 3, 3])
    #expect(
      located.map(\.error) == ["channel 9c36e8c7: wrong", "channel 5: wrong", "of no device"])
  }

  @Test("a page in several lines is one document, whose channels are named by their ids")
  func document() throws {
    let page = #"""
      {
        "channels": [
          {"channel_id": "9c36e8c7-5a73-47c0-9716-99fd3d4197d5", "device_type": "ios",
            "push_address": "aa"},
          {"channel_id": "9c36e8c7-5a73-47c0-9716-99fd3d4197d6", "device_type": "ios",
            "push_address": "AA"},
          {"device_type": "android"},
          {"channel_id": "\n\u001b", "device_type": "android"}
        ]
      }
      """#
    let export = try VendorExport(Array(page.utf8), of: .airship)
    #expect(try lines(export).count == 1)
    #expect(
      export.rejected.map(\.error) == [
        "channel 9c36e8c7-5a73-47c0-9716-99fd3d4197d6: the token is on line 1 already, of channel"
          + " 9c36e8c7-5a73-47c0-9716-99fd3d4197d5",
        "channel 3: device_type android is no iOS device",
        "channel 4: device_type android is no iOS device",
      ])
    #expect(
      export.located([(1, "wrong")]).map(\.error)
        == ["channel 9c36e8c7-5a73-47c0-9716-99fd3d4197d5: wrong"])
  }

  @Test("a token that an export has twice is rejected with the line of the first")
  func repeated() throws {
    let page = #"{"channels":[{"device_type":"ios","push_address":"AA"}]}"#
    let again = #"{"channels":[{"device_type":"ios","push_address":"aa"}]}"#
    let pages = VendorExport.Vendor.airship
    let export = try VendorExport(Array("\n\(page)\n\(again)\n".utf8), of: pages)
    #expect(try lines(export).count == 1)
    #expect(export.rejected.map(\.line) == [3])
    #expect(
      export.rejected.map(\.error) == ["channel 1: the token is on line 2 already, of channel 1"])
  }

  @Test(
    "a file that is no such export is refused as a whole",
    arguments: [
      (VendorExport.Vendor.oneSignal, "", "empty"), (.oneSignal, "id,email\n", "identifier"),
      (.oneSignal, "identifier\n", "device_type"), (.oneSignal, "\u{1f}", "missing"),
      (.airship, "", "empty"), (.airship, "[]", "channels"), (.airship, "{}\n{}", "channels"),
      (.airship, "{\"channels\":[]}\nnonsense", "line 2 is not JSON"),
    ])
  func refused(vendor: VendorExport.Vendor, text: String, words: String) {
    #expect {
      try VendorExport(Array(text.utf8), of: vendor)
    } throws: {
      ($0 as? RequestError)?.message.contains(words) == true
    }
  }

  @Test("a compressed export is named as such")
  func compressed() {
    #expect {
      try VendorExport([0x1f, 0x8b, 8, 0], of: .oneSignal)
    } throws: {
      ($0 as? RequestError)?.message.contains("gunzip") == true
    }
  }

  @Test("hostile values stay within the limits of an import")
  func hostile() async throws {
    // Reading tags is bounded by the reader's own limits; a field over 4 KiB is cut and so is no JSON.
    let deep = String(repeating: "[", count: 3000)
    let csv = "identifier,device_type,tags\naa,0,\"\(deep)\"\nbb,0,{\"\"a\"\":null}\n"
    let export = try VendorExport(Array(csv.utf8), of: .oneSignal)
    #expect(try lines(export).compactMap { $0?["push_token"]?.string } == ["aa", "bb"])
  }
}
