import PushPayload
import Testing

@testable import PushServer

/// What an export of another service loses, by the column that is damaged.
@Suite("Damaged columns of other services' exports")
struct VendorLossesTests {
  private static let fine = #"{"a":"1"}"#

  static let cells: [(column: String, cell: String, loss: String?)] = [
    ("tags", "{'a': '1'}", "tags"), ("tags", #"{"a"=>"1"}"#, "tags"),
    ("tags", #"{"a":"1""#, "tags"),
    ("tags", "a:1", "tags"), ("tags", "[1]", "tags"), ("tags", "[]", nil), ("tags", "null", nil),
    ("tags", "", nil), ("tags", "NULL", nil), ("tags", #"{"a":null}"#, nil), ("tags", fine, nil),
    ("tags", String(repeating: "x", count: 5000), "tags"),
    ("timezone_id", "Mars/Phobos", "time_zone"), ("timezone_id", "W. Europe Standard Time", nil),
    ("external_user_id", "4.91512E+11", "external_user_id"),
    ("external_user_id", String(repeating: "u", count: 256), "user_id"),
    ("tags", #"{"a":"x\u0000","b":"1"}"#, "user_attributes.a.value"),
    ("tags", #"{"a":{"b":1}}"#, nil), ("tags", #"{"a":1,"a":2}"#, "tags"),
    ("timezone_id", "+05:30", nil), ("timezone_id", "IST", "time_zone"),
    ("language", String(repeating: "l", count: 256), "locale"),
    ("game_version", String(repeating: "1", count: 256), "app_version"),
    ("device_os", String(repeating: "1", count: 256), "os_version"),
    ("external_user_id", "=\"00123\"", nil), ("external_user_id", "NULL", nil),
    ("notification_types", "abc", "notification_types"), ("notification_types", "", nil),
    ("notification_types", "1.5", "notification_types"), ("notification_types", "-2", nil),
  ]

  @Test(
    "a column of OneSignal's that is not understood is named, and its device kept",
    arguments: cells)
  func oneSignal(column: String, cell: String, loss: String?) throws {
    let quoted = "\"" + cell.replacing("\"", with: "\"\"") + "\""
    let csv = "identifier,device_type,\(column)\naa01,0,\(quoted)\n"
    let export = try VendorExport(Array(csv.utf8), of: .oneSignal)
    #expect(export.rejected.isEmpty)
    let losses = export.losses
    #expect(losses.map(\.line) == (loss == nil ? [] : [2]))
    if let loss { #expect(losses.first?.error.hasPrefix("kept, but lost \(loss), which ") == true) }
    let device = try JSONValue(parsing: export.lines)
    #expect(device["push_token"] == "aa01")
    let isEnabled = column != "notification_types" || cell.isEmpty
    #expect(device["push_enabled"] == .bool(isEnabled))
  }

  static let members: [(member: String, value: JSONValue, loss: String?)] = [
    ("tags", "x", "tags"), ("tags", ["a", 1], "tags[1]"), ("tags", [], nil), ("tags", .null, nil),
    ("opt_in", "yes", "opt_in"), ("opt_in", .null, nil), ("named_user_id", 5, "named_user_id"),
    ("ios", ["tz": "Nowhere"], "time_zone"), ("ios", ["tz": 3], "tz"), ("ios", ["tz": "UTC"], nil),
    ("tags", ["a": 1], "tags"), ("opt_in", 1, "opt_in"),
    ("named_user_id", "a\0", "user_id"), ("tags", ["a\0"], "tags[0]"),
    ("device_attributes", ["ua_app_version": 2], "ua_app_version"),
    ("device_attributes", ["ua_device_os": ["17"]], "ua_device_os"),
    ("attributes", ["ua_language": false], "ua_language"),
  ]

  @Test(
    "a member of Airship's that is not understood is named, and its device kept", arguments: members
  )
  func airship(member: String, value: JSONValue, loss: String?) throws {
    let channel: JSONValue = [
      "channel_id": "c", "device_type": "ios", "push_address": "aa01", member: value,
    ]
    let export = try VendorExport(
      JSONValue.object(["channels": [channel]]).bytes, of: .airship)
    #expect(export.rejected.isEmpty)
    let losses = export.losses
    #expect(losses.count == (loss == nil ? 0 : 1))
    if let loss {
      #expect(losses.first?.error.hasPrefix("channel c: kept, but lost \(loss), which ") == true)
    }
    #expect(try JSONValue(parsing: export.lines)["push_enabled"] == .bool(loss != "opt_in"))
  }

  @Test("the report of an import has the lines of the export")
  func merged() throws {
    let csv = "identifier,device_type,tags\naa01,0,x\nzz,0,\naa03,1,\n,,\naa04,0,\n"
    let export = try VendorExport(Array(csv.utf8), of: .oneSignal)
    var imported = DeviceImport.Report()
    (imported.accepted, imported.skipped) = (2, 1)
    imported.reject((2, "more"))
    let report = export.report(of: imported)
    #expect(report.accepted == 2 && report.acceptedWithLosses == 1 && report.rejected == 3)
    #expect(report.skipped == 2)
    #expect(report.lines.map(\.line) == [2, 3, 4, 6])
    #expect(report.lines.last?.error == "more")
    #expect(export.faults(with: imported).map(\.line) == [2, 3, 4, 6])
  }

  @Test("a device whose token may be invalid or gone is rejected")
  func doubtful() throws {
    let csv = "identifier,device_type,invalid_identifier\naa01,0,maybe\n"
    #expect(try VendorExport(Array(csv.utf8), of: .oneSignal).rejected.map(\.line) == [2])
    let page = #"{"channels":[{"device_type":"ios","push_address":"aa","installed":"no"}]}"#
    #expect(try VendorExport(Array(page.utf8), of: .airship).rejected.count == 1)
  }
}
