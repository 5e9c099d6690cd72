import PushPayload
import TestSupport
import Testing

@Suite("Dialects, by payloads of every vendor")
struct DialectFixtureTests {
  /// The ids that are promised to users, reports and scripts.
  static let ids = """
    sailthru carnival salesforce onesignal airship fcm clevertap iterable customerio braze batch \
    pushwoosh leanplum klaviyo adobe adobe-campaign expo notifee webengage kumulos mixpanel swrve \
    emarsys blueshift exponea countly infobip mindbox mapp acoustic reteno appcues pinpoint twilio \
    motisig image-absolute-string generic custom martlet none
    """.split(separator: " ").map { String($0) }

  @Test("every promised id is in the table once, and has three payloads or more")
  func table() {
    let table = DialectTable.standard.dialects.map(\.id.rawValue)
    #expect(Set(table).count == table.count)
    #expect(Set(table + ["custom", "none"]) == Set(Self.ids))
    #expect([Dialect.custom(media: []).id, .none].map(\.rawValue) == ["custom", "none"])
    for id in table {
      for name in ["typical", "extra", "null-or-wrong"] {
        #expect(DialectFixture.all.contains { $0.name == "\(id)/\(name)" }, "\(id)/\(name)")
      }
    }
  }

  @Test(
    "a payload means what is written down, with further keys and another vendor's beside it too",
    arguments: DialectFixture.all.filter { !$0.name.hasSuffix("/null-or-wrong") })
  func meaning(fixture: DialectFixture) {
    let content = DialectTable.standard.read(fixture.payload)
    #expect(content.summary == fixture.expectation)
    #expect(content.findings.isEmpty)
  }

  @Test(
    "null and wrong types ask for nothing, and wrong types are said",
    arguments: DialectFixture.all.filter { $0.name.hasSuffix("/null-or-wrong") })
  func wrong(fixture: DialectFixture) {
    let content = DialectTable.standard.read(fixture.payload)
    #expect(content.isEmpty)
    #expect(content.deepLink == nil)
    let own = DialectTable.standard.dialects.filter { $0.id == fixture.id }
    let findings = DialectTable(own).read(fixture.payload).findings
    #expect(!findings.isEmpty)
    #expect(findings.allSatisfy { $0.path.hasPrefix("$") && !$0.message.isEmpty })
  }

  @Test("a dialect that is switched off reads nothing", arguments: DialectFixture.all)
  func without(fixture: DialectFixture) {
    let content = DialectTable.standard.without([fixture.id]).read(fixture.payload)
    #expect(content.dialect != fixture.id)
  }

  @Test("two vendors in one payload: the earlier in the table, whatever the order of the keys")
  func pairs() throws {
    let typical = DialectFixture.all.filter { $0.name.hasSuffix("/typical") }
    let order = DialectTable.standard.dialects.map(\.id)
    for one in typical {
      for other in typical where one.id != other.id {
        let both = Self.merged(one.payload, other.payload)
        let content = DialectTable.standard.read(both)
        let again = DialectTable.standard.read(try JSONValue(parsing: both.serialized()))
        #expect(content == again)
        let place = try #require(order.firstIndex(of: content.dialect))
        let first = try #require([one.id, other.id].compactMap(order.firstIndex(of:)).min())
        #expect(place <= first, "\(one.name) and \(other.name): \(content.dialect)")
        #expect(!content.media.isEmpty)
        // Preferred, either of them wins whichever stands in the payload.
        let preferring = DialectTable.standard.preferring([other.id]).read(both)
        #expect(preferring.dialect == other.id, "\(other.name) in \(one.name)")
      }
    }
  }

  @Test(
    "any odd value in any place is read without a trap",
    arguments: DialectFixture.all.filter { $0.name.contains("/typical") })
  func oddValues(fixture: DialectFixture) {
    for payload in Self.variants(of: fixture.payload) {
      let content = DialectTable.standard.read(payload)
      #expect(content.media.count <= Dialect.maximumMedia)
      #expect(content.buttons.count <= Dialect.maximumButtons)
      #expect(Set(content.buttons.map(\.identifier)).count == content.buttons.count)
      #expect(content.media.allSatisfy { !$0.wanted.url.isEmpty })
    }
  }

  @Test("mutated payloads are read without a trap", arguments: [1, 2, 3, 4] as [UInt64])
  func mutations(seed: UInt64) {
    var mutation = PayloadMutation(seed: seed)
    for round in 0..<4000 {
      let fixture = DialectFixture.all[round % DialectFixture.all.count]
      let payload = mutation.mutate(fixture.payload)
      let content = DialectTable.standard.read(payload)
      #expect(content == DialectTable.standard.read(payload))
      _ = APNsPayload(payload).findings()
    }
  }

  /// The payload with each of its values replaced by each odd value in turn.
  private static func variants(of json: JSONValue) -> [JSONValue] {
    let own = PayloadMutation.oddValues
    switch json {
    case .object(let members):
      return own
        + members.flatMap { key, value in
          variants(of: value).map { replacement in
            .object(members.merging([key: replacement]) { $1 })
          }
        }
    case .array(let elements):
      return own
        + elements.indices.flatMap { index in
          variants(of: elements[index]).map { replacement in
            var elements = elements
            elements[index] = replacement
            return .array(elements)
          }
        }
    default: return own
    }
  }

  private static func merged(_ one: JSONValue, _ other: JSONValue) -> JSONValue {
    guard let one = one.object, let other = other.object else { return one }
    return .object(one.merging(other) { merged($0, $1) })
  }
}
