import PushPayload
import TestSupport
import Testing

@Suite("Dialects with payloads of every vendor")
struct DialectFixtureTests {
  @Test("every identifier is in the table once and has payloads")
  func table() {
    let table = DialectTable.standard.dialects.map(\.id.rawValue)
    #expect(Set(table).count == table.count)
    #expect(Set(table) == Set(["martlet"] + VendorFile.all.map(\.dialect)))
    #expect([Dialect.custom(media: []).id, .none].map(\.rawValue) == ["custom", "none"])
    for name in ["typical", "extra", "null-or-wrong"] {
      #expect(DialectFixture.all.contains { $0.name == "martlet/\(name)" }, "\(name)")
    }
  }

  @Test(
    "a payload is read as expected, also with further keys and another vendor's keys",
    arguments: DialectFixture.all.filter { !$0.name.hasSuffix("/null-or-wrong") })
  func expectations(fixture: DialectFixture) {
    let request = DialectTable.standard.read(fixture.payload)
    #expect(request.summary == fixture.expectation)
    #expect(request.findings.isEmpty)
  }

  @Test(
    "null and values of wrong types count as absent, and wrong types are reported",
    arguments: DialectFixture.all.filter { $0.name.hasSuffix("/null-or-wrong") })
  func wrongTypes(fixture: DialectFixture) {
    let request = DialectTable.standard.read(fixture.payload)
    #expect(request.isEmpty)
    #expect(request.deepLink == nil)
    let own = DialectTable.standard.dialects.filter { $0.id == fixture.id }
    let findings = DialectTable(own).read(fixture.payload).findings
    #expect(!findings.isEmpty)
    #expect(findings.allSatisfy { $0.path.hasPrefix("$") && !$0.message.isEmpty })
  }

  @Test("a dialect that was removed from the table reads nothing", arguments: DialectFixture.all)
  func without(fixture: DialectFixture) {
    let request = DialectTable.standard.without([fixture.id]).read(fixture.payload)
    #expect(request.dialect != fixture.id)
  }

  @Test("of two vendors in a payload the earlier in the table is read, whatever the order of keys")
  func pairs() throws {
    let typical = DialectFixture.all.filter { $0.name.hasSuffix("/typical") }
    let order = DialectTable.standard.dialects.map(\.id)
    for one in typical {
      for other in typical where one.id != other.id {
        // Two values of `source` cannot be in one payload.
        if Set([one.id, other.id]) == [.exponea, .webEngage] { continue }
        let both = Self.merged(one.payload, other.payload)
        let request = DialectTable.standard.read(both)
        let again = DialectTable.standard.read(try JSONValue(parsing: both.serialized()))
        #expect(request == again)
        let index = try #require(order.firstIndex(of: request.dialect))
        let first = try #require([one.id, other.id].compactMap(order.firstIndex(of:)).min())
        // A vendor's own mark wins over a key that it shares with an earlier one.
        #expect(
          index <= first || [one.id, other.id].contains(request.dialect),
          "\(one.name) and \(other.name): \(request.dialect)")
        #expect(!request.media.isEmpty)
        // Either of them is read when the table prefers it.
        let preferring = DialectTable.standard.preferring([other.id]).read(both)
        #expect(preferring.dialect == other.id, "\(other.name) in \(one.name)")
      }
    }
  }

  @Test(
    "any odd value at any path is read without a trap",
    arguments: DialectFixture.all.filter { $0.name.contains("/typical") })
  func oddValues(fixture: DialectFixture) {
    for payload in Self.variants(of: fixture.payload) {
      let request = DialectTable.standard.read(payload)
      #expect(request.media.count <= Dialect.maximumMedia)
      #expect(request.buttons.count <= Dialect.maximumButtons)
      #expect(Set(request.buttons.map(\.identifier)).count == request.buttons.count)
      #expect(request.media.allSatisfy { !$0.wanted.url.isEmpty })
    }
  }

  @Test("mutated payloads are read without a trap", arguments: [1, 2, 3, 4] as [UInt64])
  func mutations(seed: UInt64) {
    var mutation = PayloadMutation(seed: seed)
    for round in 0..<4000 {
      let fixture = DialectFixture.all[round % DialectFixture.all.count]
      let payload = mutation.mutate(fixture.payload)
      let request = DialectTable.standard.read(payload)
      #expect(request == DialectTable.standard.read(payload))
      _ = APNsPayload(payload).findings()
    }
  }

  /// Copies of the payload, each with one value replaced by an odd value.
  private static func variants(of json: JSONValue) -> [JSONValue] {
    let oddValues = PayloadMutation.oddValues
    switch json {
    case .object(let members):
      return oddValues
        + members.flatMap { key, value in
          variants(of: value).map { replacement in
            .object(members.merging([key: replacement]) { $1 })
          }
        }
    case .array(let elements):
      return oddValues
        + elements.indices.flatMap { index in
          variants(of: elements[index]).map { replacement in
            var elements = elements
            elements[index] = replacement
            return .array(elements)
          }
        }
    default: return oddValues
    }
  }

  private static func merged(_ one: JSONValue, _ other: JSONValue) -> JSONValue {
    guard let one = one.object, let other = other.object else { return one }
    return .object(one.merging(other) { merged($0, $1) })
  }
}
