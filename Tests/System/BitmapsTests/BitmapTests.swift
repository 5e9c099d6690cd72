import TestSupport
import Testing
import _Bitmaps

@Suite("Bitmaps")
struct BitmapTests {
  /// Sparse, dense and consecutive numbers, for each kind of container.
  private func sample(_ seed: UInt64) -> (Bitmap, Set<UInt32>) {
    var random = SeededGenerator(seed: seed)
    var elements: Set<UInt32> = [0, .max]
    for _ in 0..<500 { elements.insert(.random(in: 0...(.max), using: &random)) }
    for _ in 0..<9000 { elements.insert(.random(in: 65536..<131_072, using: &random)) }
    let start = UInt32.random(in: 200_000..<300_000, using: &random)
    elements.formUnion(start..<start + 20000)
    return (Bitmap(Array(elements)), elements)
  }

  @Test("agrees with a set of numbers", arguments: 1...10 as ClosedRange<UInt64>)
  func algebra(seed: UInt64) {
    var (left, leftSet) = sample(seed)
    let (right, rightSet) = sample(seed + 100)
    #expect((left & right).elements == leftSet.intersection(rightSet).sorted())
    #expect((left | right).elements == leftSet.union(rightSet).sorted())
    #expect((left ^ right).elements == leftSet.symmetricDifference(rightSet).sorted())
    #expect(left.subtracting(right).elements == leftSet.subtracting(rightSet).sorted())
    #expect(left.intersectionCount(right) == leftSet.intersection(rightSet).count)
    var changed = left
    changed.formUnion(right)
    changed.subtract(left & right)
    #expect(changed == left ^ right)
    changed.formIntersection(left)
    #expect(changed == left.subtracting(right))
    for element in rightSet.prefix(1000) {
      if element.isMultiple(of: 2) {
        left.insert(element)
        leftSet.insert(element)
      } else {
        left.remove(element)
        leftSet.remove(element)
      }
      #expect(left.contains(element) == leftSet.contains(element))
    }
    #expect(left.elements == leftSet.sorted())
    #expect(left.count == leftSet.count)
  }

  @Test("finds elements by rank", arguments: [false, true])
  func ranks(isOptimized: Bool) {
    var (bitmap, set) = sample(1)
    if isOptimized { bitmap.optimize() }
    let sorted = set.sorted()
    for rank in stride(from: 0, to: sorted.count, by: 701) {
      #expect(bitmap.element(atRank: rank) == sorted[rank])
      #expect(bitmap.rank(of: sorted[rank]) == rank + 1)
      let ranks = rank..<rank + 1000
      #expect(bitmap.elements(atRanks: ranks) == Array(sorted[rank...].prefix(1000)))
    }
    #expect(bitmap.element(atRank: sorted.count) == nil)
    #expect(bitmap.element(atRank: -1) == nil)
    #expect(bitmap.elements(atRanks: sorted.count..<sorted.count + 5).isEmpty)
    var chunks: [[UInt32]] = []
    bitmap.forEachChunk(of: 1000) { chunks.append($0) }
    #expect(chunks.flatMap(\.self) == sorted)
    #expect(chunks.dropLast().allSatisfy { $0.count == 1000 })
  }

  @Test("has value semantics: a copy does not change with its original")
  func value() {
    var bitmap: Bitmap = Bitmap([1, 2, 3])
    let copy = bitmap
    bitmap.insert(4)
    bitmap.remove(1)
    #expect(copy.elements == [1, 2, 3])
    #expect(bitmap.elements == [2, 3, 4])
    #expect(Bitmap().isEmpty && Bitmap().elements.isEmpty)
    #expect(Bitmap(0...(.max)).count == 1 << 32)
  }

  @Test("is equal after it was serialized and read", arguments: [false, true])
  func serialization(isOptimized: Bool) throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      var (bitmap, _) = sample(seed)
      if isOptimized { bitmap.optimize() }
      let bytes = bitmap.serialized
      #expect(bytes.count == bitmap.serializedSize)
      #expect(try Bitmap(serialized: bytes) == bitmap)
    }
    #expect(try Bitmap(serialized: Bitmap().serialized).isEmpty)
  }

  @Test("consecutive numbers take a few bytes once optimized")
  func room() {
    var bitmap = Bitmap(Array(0..<1_000_000))
    #expect(bitmap.serializedSize > 100_000)
    bitmap.optimize()
    #expect(bitmap.serializedSize < 500)
  }

  @Test("bytes that break the format are refused", arguments: HostileBytes.all)
  func hostile(bytes: HostileBytes) {
    let error = #expect(throws: BitmapError.self) { try Bitmap(serialized: bytes.bytes) }
    #expect(error?.code == bytes.code)
  }

  @Test("a bitmap is read where it lies, and copied when it is changed", arguments: [false, true])
  func frozen(isOptimized: Bool) throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      var (bitmap, set) = sample(seed)
      if isOptimized { bitmap.optimize() }
      let bytes = FixedBytes(bitmap.frozen)
      var view = try Bitmap(frozen: 0..<bytes.count, in: bytes)
      let copy = view
      #expect(view.isFrozen && view == bitmap && view.elements == set.sorted())
      #expect((view & bitmap) == bitmap && view.subtracting(bitmap).isEmpty)
      let (other, _) = sample(seed + 50)
      view.formUnion(other)
      #expect(view == bitmap | other && !view.isFrozen)
      #expect(copy == bitmap && bytes.copy(0..<bytes.count) == bitmap.frozen)
      var union = Bitmap()
      union.formUnion(copy)
      union.remove(0)
      union.optimize()
      #expect(union == copy.subtracting(Bitmap([0])) && copy.contains(0))
    }
    let empty = FixedBytes(Bitmap().frozen)
    #expect(try Bitmap(frozen: 0..<empty.count, in: empty).isEmpty)
  }

  @Test("no bytes of a frozen bitmap make it read outside of them", arguments: [false, true])
  func frozenMutation(isOptimized: Bool) throws {
    var bitmap = Bitmap(Array(0..<9000) + [70000, 70002, 140_000, 300_000, 300_001])
    bitmap.insert(131_072...135_000)
    if isOptimized { bitmap.optimize() }
    let bytes = bitmap.frozen
    for length in Array(0..<min(100, bytes.count)) + [bytes.count / 2, bytes.count - 1] {
      let cut = FixedBytes(Array(bytes.prefix(length)))
      #expect(throws: BitmapError.self) { try Bitmap(frozen: 0..<length, in: cut) }
    }
    #expect(throws: BitmapError.self) {
      try Bitmap(frozen: 0..<bytes.count + 1, in: FixedBytes(bytes))
    }
    #expect(throws: BitmapError.self) {
      try Bitmap(frozen: 1..<bytes.count + 1, in: FixedBytes([0] + bytes))
    }
    var random = SeededGenerator(seed: 7)
    for _ in 0..<3000 {
      var changed = bytes
      // The counts and keys are at the end.
      let index = bytes.count - 1 - Int.random(in: 0..<min(bytes.count, 100), using: &random)
      changed[index] = .random(in: 0...255, using: &random)
      let fixed = FixedBytes(changed)
      guard var read = try? Bitmap(frozen: 0..<fixed.count, in: fixed) else { continue }
      #expect(read.elements.count == read.count)
      #expect((read | bitmap).subtracting(bitmap) == read.subtracting(bitmap))
      read.insert(5)
      read.optimize()
      #expect(read.contains(5))
    }
  }

  @Test("truncated bytes are refused, and no changed byte crashes", arguments: [false, true])
  func mutation(isOptimized: Bool) {
    var bitmap = Bitmap(Array(0..<5000) + [70000, 70002, 140_000, 300_000, 300_001])
    if isOptimized { bitmap.optimize() }
    let bytes = bitmap.serialized
    for length in Array(0..<min(100, bytes.count)) + [bytes.count / 2, bytes.count - 1] {
      #expect(throws: BitmapError.self) { try Bitmap(serialized: Array(bytes.prefix(length))) }
    }
    var random = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      var changed = bytes
      let index = Int.random(in: 0..<min(bytes.count, 200), using: &random)
      changed[index] = .random(in: 0...255, using: &random)
      guard let read = try? Bitmap(serialized: changed) else { continue }
      #expect(read.elements.count == read.count)
      #expect((read | bitmap).subtracting(bitmap) == read.subtracting(bitmap))
    }
  }
}

struct HostileBytes: CustomTestStringConvertible {
  var testDescription: String
  var bytes: [UInt8]
  var code: BitmapError.Code

  init(_ description: String, _ code: BitmapError.Code, words: [UInt16]) {
    testDescription = description
    bytes = words.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    self.code = code
  }

  static let all = [
    HostileBytes("no bytes", .cutOff, words: []),
    HostileBytes("an unknown cookie", .notABitmap, words: [12345, 0, 0, 0]),
    HostileBytes("more containers than keys", .damaged, words: [12346, 0, 1, 1]),
    HostileBytes("missing containers", .cutOff, words: [12346, 0, 0, 1]),
    HostileBytes("keys twice", .damaged, words: [12346, 0, 2, 0, 5, 0, 5, 0, 24, 0, 26, 0, 1, 1]),
    HostileBytes("elements out of order", .damaged, words: [12346, 0, 1, 0, 0, 1, 16, 0, 9, 8]),
    HostileBytes("an element twice", .damaged, words: [12346, 0, 1, 0, 0, 1, 16, 0, 9, 9]),
    HostileBytes("a wrong offset", .damaged, words: [12346, 0, 1, 0, 0, 0, 17, 0, 9]),
    HostileBytes("trailing bytes", .trailingBytes, words: [12346, 0, 1, 0, 0, 0, 16, 0, 9, 0]),
    HostileBytes(
      "a bitset with a wrong count", .damaged,
      words: [12346, 0, 1, 0, 0, 5000, 16, 0] + [UInt16](repeating: 0, count: 4096)),
  ]
}
