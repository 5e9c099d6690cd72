import TestSupport
import Testing

@testable import _HTTP2

@Suite("Stream table")
struct StreamTableTests {
  /// The distance of two stream identifiers that always share a slot.
  static let turn: Int32 = 2 * 2048

  @Test("an empty table finds and removes nothing")
  func empty() {
    var table = StreamTable<String>()
    #expect(table[1] == nil)
    #expect(table.remove(1) == nil)
    table.update(1) { $0 += "!" }
    #expect(table.count == 0)
    #expect(table.elements.isEmpty)
  }

  @Test("a value is found, updated, replaced and removed")
  func life() {
    var table = StreamTable<String>()
    table.insert("a", 1)
    table.insert("b", 3)
    #expect(table[1] == "a")
    table.update(1) { $0 += "!" }
    #expect(table[1] == "a!")
    table.insert("c", 1)
    #expect(table.count == 2)
    #expect(table.remove(1) == "c")
    #expect(table.remove(1) == nil)
    #expect(table[1] == nil)
    #expect(table.elements.map(\.stream) == [3])
  }

  @Test("streams whose slots collide are stored side by side", arguments: [1, 2] as [Int32])
  func collisions(first: Int32) {
    var table = StreamTable<Int32>()
    let streams = (0..<3).map { first + $0 * Self.turn }
    for stream in streams { table.insert(stream, stream) }
    #expect(table.count == 3)
    for stream in streams {
      #expect(table[stream] == stream)
      table.update(stream) { $0 += 1 }
    }
    #expect(Set(table.elements.map(\.value)) == Set(streams.map { $0 + 1 }))
    // The slot of the first is free again; the others are still found.
    #expect(table.remove(streams[0]) == streams[0] + 1)
    #expect(table[streams[1]] == streams[1] + 1)
    table.update(streams[1]) { $0 += 1 }
    #expect(table.remove(streams[1]) == streams[1] + 2)
    #expect(table.remove(streams[2]) == streams[2] + 1)
    #expect(table.count == 0)
  }

  @Test("a stream in the dictionary is replaced once its slot is free")
  func moves() {
    var table = StreamTable<String>()
    table.insert("old", 1)
    table.insert("beside", 1 + Self.turn)
    table.remove(1)
    table.insert("again", 1 + Self.turn)
    #expect(table[1 + Self.turn] == "again")
    #expect(table.count == 1)
    #expect(table.remove(1 + Self.turn) == "again")
    #expect(table[1 + Self.turn] == nil)
    #expect(table.count == 0)
  }

  @Test(
    "all streams are found, also those beyond the maximum number of slots",
    arguments: [32, 33, 2048, 2049])
  func growth(count: Int32) {
    var table = StreamTable<Int32>()
    for index in 0..<count { table.insert(index, 2 * index + 1) }
    #expect(table.count == Int(count))
    #expect((0..<count).allSatisfy { table[2 * $0 + 1] == $0 })
    #expect((0..<count).allSatisfy { table.remove(2 * $0 + 1) == $0 })
    #expect(table.count == 0)
  }

  @Test("any order of operations gives the same result as a dictionary")
  func model() {
    var random = SeededGenerator(seed: 3)
    var table = StreamTable<UInt64>()
    var model: [Int32: UInt64] = [:]
    for _ in 0..<20_000 {
      // Few slots make the streams collide; some are near the largest stream identifier.
      let stream =
        Int32(random.next() % 8) * 2 + 1 + Int32(random.next() % 4) * Self.turn
        + (random.next() % 16 == 0 ? Int32.max - 4 * Self.turn - 31 : 0)
      switch random.next() % 4 {
      case 0, 1:
        let value = random.next()
        table.insert(value, stream)
        model[stream] = value
      case 2:
        table.update(stream) { $0 &+= 1 }
        model[stream]? &+= 1
      default: #expect(table.remove(stream) == model.removeValue(forKey: stream))
      }
      #expect(table.count == model.count)
      #expect(table[stream] == model[stream])
    }
    #expect(
      Dictionary(uniqueKeysWithValues: table.elements.map { ($0.stream, $0.value) }) == model)
  }
}
