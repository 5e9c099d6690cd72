import PushModel
import PushPayload
import Testing
import _Bitmaps

@testable import PushServer

@Suite("The values of fields that a person chooses from")
struct FieldValuesTests {
  private static let now = RandomAudience.now
  private static let tags = Filter.Field.builtIn(.tags)
  private static let plan = Filter.Field.attribute(.string, name: "plan")

  private func device(_ number: UInt32, _ change: (inout Device) -> Void) -> Device {
    var device = Device(id: "d\(number)", createdAt: Self.now)
    device.number = number
    change(&device)
    return device
  }

  private func values(
    _ index: ShardedIndex, of field: Filter.Field, containing text: String = "", limit: Int = 20
  ) -> [String] {
    index.values(of: field, containing: text, limit: limit).values
      .map { "\($0.text) \($0.devices)" }
  }

  @Test("values of all shards are counted, those that no device has are left out")
  func counted() {
    var index = ShardedIndex()
    let border = UInt32(ShardedIndex.shardSize)
    let devices = [(1, "news"), (2, "Sport"), (border, "news"), (border + 1, "gone")]
    index.update(
      devices.map { number, tag in
        device(number) {
          $0.tags = [tag]
          $0.location.country = "DE"
          $0.osVersion = number == 1 ? "9.1" : "10.0"
          $0.attributes["plan"] = Attribute(kind: .string, value: ["gold", "trial"])
        }
      })
    index.update([device(border + 1) { $0.tags = ["news"] }])
    #expect(values(index, of: Self.tags) == ["news 3", "Sport 1"])
    #expect(values(index, of: Self.tags, containing: "POR") == ["Sport 1"])
    #expect(values(index, of: Self.tags, containing: "none") == [])
    #expect(values(index, of: .builtIn(.country)) == ["DE 3"])
    #expect(values(index, of: .builtIn(.osName)) == ["iOS 4"])
    #expect(values(index, of: .builtIn(.osVersion)) == ["10 2", "9.1 1"])
    #expect(values(index, of: Self.plan) == ["gold 3", "trial 3"])
    #expect(values(index, of: .builtIn(.userID)) == [])
    #expect(index.ownFields == [Self.plan])
  }

  @Test("a list of values ends at its limit, and says whether it is whole")
  func limit() {
    var index = ShardedIndex()
    index.update((1...3).map { number in device(number) { $0.tags = ["tag\(number)"] } })
    func isWhole(_ limit: Int) -> Bool {
      index.values(of: Self.tags, containing: "", limit: limit).isWhole
    }
    #expect(values(index, of: Self.tags, limit: 2) == ["tag1 1", "tag2 1"])
    #expect(isWhole(3) && !isWhole(2))
  }

  @Test("a value is found behind many that no device has any more")
  func unused() {
    var index = ShardedIndex()
    let numbers = UInt32(1)...200
    index.update(numbers.map { number in device(number) { $0.tags = ["old \(number)"] } })
    index.update(numbers.map { number in device(number) { $0.tags = ["old 200", "zebra"] } })
    #expect(values(index, of: Self.tags) == ["old 200 200", "zebra 200"])
    #expect(values(index, of: Self.tags, limit: 1) == ["old 200 200"])
  }

  @Test("a field keeps its first texts up to the limit, and all fields together up to theirs")
  func kept() {
    var texts = KnownTexts()
    func insert(_ count: Int, of field: Filter.Field, from start: Int = 0) {
      texts.insert([
        field: Dictionary(
          uniqueKeysWithValues: (start..<start + count).map {
            (TextHash("\(field.apiName) \($0)"), "\($0)")
          })
      ])
    }
    insert(KnownTexts.fieldLimit - 1, of: Self.tags)
    #expect(!texts.isFull(Self.tags))
    insert(2, of: Self.tags, from: KnownTexts.fieldLimit)
    #expect(texts.isFull(Self.tags) && texts.count == KnownTexts.fieldLimit)
    for number in 1...KnownTexts.limit / KnownTexts.fieldLimit {
      insert(KnownTexts.fieldLimit, of: .attribute(.string, name: "a\(number)"))
    }
    #expect(texts.count == KnownTexts.limit && texts.isFull(Self.plan))
    #expect(KnownTexts.mayHave(String(repeating: "a", count: KnownTexts.lengthLimit)))
    #expect(!KnownTexts.mayHave(String(repeating: "a", count: KnownTexts.lengthLimit + 1)))
  }

  @Test("a snapshot has the values, without those of erased devices alone")
  func snapshot() throws {
    var index = AudienceIndex()
    let devices = (1...3).map { number in
      device(number) {
        $0.attributes["plan"] = Attribute(kind: .string, value: .string("p\(number)"))
      }
    }
    func read() throws -> [String] {
      var bytes: [UInt8] = []
      var writer = SnapshotWriter { bytes += $0 }
      try index.encode(into: &writer)
      try writer.finish()
      var reader = try SnapshotReader(FixedBytes(bytes))
      let read = try AudienceIndex(from: &reader, key: index.key)
      return (read.knownTexts.byField[Self.plan] ?? []).map(\.text)
    }
    index.update(devices)
    #expect(try read() == ["p1", "p2", "p3"])
    index.update([devices[1].erased(at: Self.now)])
    #expect(try read() == ["p1", "p3"])
    index.remove(Bitmap([3]))
    #expect(try read() == ["p1"])
  }
}
