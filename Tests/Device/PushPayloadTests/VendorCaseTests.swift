import Foundation
import PushPayload
import TestSupport
import Testing

/// Payloads from vendors' sources, with what the vendor's own extension shows; the vendors are in docs/app/vendors.md.
@Suite("Payloads as the vendors' own extensions read them")
struct VendorCaseTests {
  @Test("a payload shows what the vendor's extension shows", arguments: VendorFile.all)
  func cases(file: VendorFile) {
    for test in file.cases {
      let request = DialectTable.standard.read(test.payload)
      var shown = request.shown(in: test.payload)
      // A category without buttons is that of the app, for us as for the vendor.
      if test.expected["buttons"] == nil, shown["buttons"] == nil { shown["category"] = nil }
      var expected = test.expected
      if expected["buttons"] == nil { expected["category"] = nil }
      #expect(shown == expected, "\(file.name): \(test.name)")
      if !expected.isEmpty { #expect(request.dialect.rawValue == test.dialect, "\(test.name)") }
    }
  }

  @Test("each case names its source, and each difference from the vendor has a reason")
  func sources() {
    #expect(VendorFile.all.map(\.cases.count).reduce(0, +) >= 600)
    for file in VendorFile.all {
      #expect(!file.cases.isEmpty, "\(file.name) has no cases, or is no JSON")
      for source in file.sources {
        #expect(source["repository"]?.string?.isEmpty == false, "\(file.name)")
      }
      for test in file.cases {
        #expect(file.sources.indices.contains(test.source), "\(file.name): \(test.name)")
        #expect(test.reason != "", "\(file.name): \(test.name)")
      }
    }
  }

  @Test("docs/app/vendors.md has the vendors, their cases and the differences")
  func documentation() throws {
    let file = Repository.url("docs/app/vendors.md")
    let page = try String(contentsOf: file, encoding: .utf8)
    for file in VendorFile.all {
      let differences = file.cases.count { $0.reason != nil }
      let row =
        "| \(file.vendor) | `\(file.dialect)` | \(file.read) | \(file.cases.count) | \(differences) |"
      #expect(page.contains(row), "run scripts/vendor-table: \(row)")
      for test in file.cases {
        guard let reason = test.reason else { continue }
        #expect(page.contains(reason), "run scripts/vendor-table: \(reason)")
      }
    }
  }

  @Test(
    "each page that counts vendors has a number that they exceed",
    arguments: [
      "README.md", "Sources/Device/PushPayload/PushPayload.docc/PushPayload.md",
      "Sources/Device/RichNotifications/RichNotifications.docc/RichNotifications.md",
    ])
  func count(page: String) throws {
    // The other two are habits, which no vendor has for itself.
    let vendors = VendorFile.all.filter {
      !["generic", "image-absolute-string"].contains($0.dialect)
    }
    let text = try String(
      contentsOf: Repository.url(page), encoding: .utf8)
    #expect(vendors.count > 40)
    #expect(text.replacing("\n", with: " ").contains(" more than 40 vendors"))
  }

  @Test("docs/app/vendors.md has the number of all cases")
  func sum() throws {
    let page = try String(
      contentsOf: Repository.url("docs/app/vendors.md"), encoding: .utf8)
    let cases = VendorFile.all.flatMap(\.cases)
    let same = cases.count { $0.reason == nil }
    #expect(
      page.contains("There are \(cases.count) cases. In \(same) of them"),
      "run scripts/vendor-table")
  }

  /// Keys at the top that other senders use for themselves.
  private static let foreignKeys: [[String: JSONValue]] = [
    ["image": "https://x.example/B.png", "title": "order_update", "message": "{\"id\":42}"],
    [
      "image_url": "https://x.example/B.png", "title": "order_update", "subtitle": "s", "body": "b",
    ],
    ["video_url": "https://x.example/B.mp4", "title": "order_update", "body": "b"],
    ["imageUrl": "https://x.example/B.png", "title": "order_update", "message": "m"],
    ["attachment": "https://x.example/B.png", "title": "order_update", "m": "text", "body": "b"],
    ["att": ["a": "https://x.example/B.png"], "m": ["title": "order_update", "body": "b"]],
    ["media-url": "https://x.example/B.png", "title": "order_update", "subtitle": "s"],
    ["rm": "m", "rt": "t", "rst": "s", "title": "order_update", "message": "m", "body": "b"],
  ]
  /// The marks of ten vendors, none of which replaces texts by these keys.
  private static let marks: [[String: JSONValue]] = [
    ["gcm.message_id": "1"], ["os_data": ["i": "1"]], ["com.urbanairship.metadata": "1"],
    ["wzrk_id": "1", "wzrk_pn": true], ["itbl": ["messageId": "1"]],
    ["CIO-Delivery-ID": "1", "CIO-Delivery-Token": "2"], ["ab": ["c": "1"]],
    ["com.batch": ["i": "1"]], ["aps": ["pw_badge": "1"], "pw_msg": "1"],
    ["body": ["_k": ["m": "1"]]], [:],
  ]

  @Test("no text of the alert is replaced by a foreign key", arguments: marks)
  func foreignKeys(mark: [String: JSONValue]) {
    for keys in Self.foreignKeys {
      var aps: [String: JSONValue] = mark["aps"]?.object ?? [:]
      aps["alert"] = ["title": "Your order has shipped", "subtitle": "Today", "body": "On its way"]
      aps["mutable-content"] = 1
      let payload = keys.merging(mark) { $1 }.merging(["aps": .object(aps)]) { $1 }
      let request = DialectTable.standard.read(.object(payload))
      #expect(request.title == nil && request.subtitle == nil && request.body == nil)
      // Firebase transports an app's own keys.
      guard !mark.isEmpty, mark["gcm.message_id"] == nil else { continue }
      #expect(request.dialect == DialectTable.standard.read(.object(mark)).dialect)
    }
  }
}

/// The cases of one vendor, from `Tests/Fixtures/vendors`.
struct VendorFile: CustomTestStringConvertible, Sendable {
  struct Case: Sendable {
    var name: String
    var source: Int
    var payload: JSONValue
    /// What Martlet shows: what the vendor's extension shows, unless there is a reason to differ.
    var expected: [String: JSONValue]
    var dialect: String
    /// Why Martlet shows something else than the vendor; `nil` where it does not.
    var reason: String?
  }

  var name: String
  var vendor: String
  var dialect: String
  var read: String
  var sources: [JSONValue]
  var cases: [Case]

  var testDescription: String { name }

  static let all: [VendorFile] = {
    let folder = Fixtures.url("vendors")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
    return names.sorted().filter { $0.hasSuffix(".json") }.map { name in
      let json = try? JSONValue(parsing: Data(contentsOf: folder.appending(path: name)))
      return VendorFile(name: name, json: json ?? .null)
    }
  }()

  private init(name: String, json: JSONValue) {
    self.name = name
    vendor = json["vendor"]?.string ?? ""
    dialect = json["dialect"]?.string ?? ""
    read = json["read"]?.string ?? ""
    sources = json["sources"]?.array ?? []
    let dialect = dialect
    cases = (json["cases"]?.array ?? []).map { item in
      let differs = item["differs"]
      return Case(
        name: item["name"]?.string ?? "", source: Int(item["source"]?.integer ?? -1),
        payload: item["payload"] ?? .null,
        expected: (differs?["shows"] ?? item["shows"])?.object ?? ["shows": .null],
        dialect: differs?["dialect"]?.string ?? dialect,
        reason: differs.map { $0["why"]?.string ?? "" })
    }
  }
}

extension PayloadRequest {
  /// What a person sees of the request, by the names of the vendors' files.
  fileprivate func shown(in payload: JSONValue) -> [String: JSONValue] {
    let alert = payload["aps"]?["alert"]
    func replacement(_ text: String?, of original: String?) -> JSONValue? {
      text.flatMap { $0 == (original ?? "") ? nil : .string($0) }
    }
    var shown: [String: JSONValue?] = [
      "title": replacement(title, of: alert?["title"]?.string),
      "subtitle": replacement(subtitle, of: alert?["subtitle"]?.string),
      "body": replacement(body, of: alert?["body"]?.string ?? alert?.string),
      "alternativeText": alternativeText.map(JSONValue.string),
      "link": deepLink.map(JSONValue.string),
    ]
    if !media.isEmpty { shown["media"] = .array(media.map { .string($0.wanted.url) }) }
    let fallbacks = media.flatMap(\.alternatives).map { JSONValue.string($0.url) }
    if !fallbacks.isEmpty { shown["fallbacks"] = .array(fallbacks) }
    let category = payload["aps"]?["category"]?.string ?? ""
    let showsButtons = buttonsBesideCategory.showsButtons(besideCategory: category)
    if !buttons.isEmpty, showsButtons {
      shown["buttons"] = .array(buttons.map { .string("\($0.identifier)|\($0.title)") })
      let links = buttons.compactMap { button in
        button.url.map { (button.identifier, JSONValue.string($0)) }
      }
      if !links.isEmpty { shown["buttonLinks"] = .object(Dictionary(links) { $1 }) }
    }
    if !buttons.isEmpty, !category.isEmpty {
      shown["category"] = showsButtons ? "replaced" : "kept"
    }
    switch badge {
    case .set(let number)?: shown["badge"] = .string("set \(number)")
    case .add(let number)?: shown["badge"] = .string("add \(number)")
    case nil: break
    }
    return shown.compactMapValues(\.self)
  }
}
