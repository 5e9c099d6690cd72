import CRoaring

/// A compressed set of 32-bit numbers, with value semantics and copy-on-write.
package struct Bitmap: Sendable {
  private var storage: BitmapStorage

  private init(owning storage: BitmapStorage) { self.storage = storage }

  package init() { storage = BitmapStorage() }

  package init(_ elements: [UInt32]) {
    self.init()
    insert(contentsOf: elements)
  }

  package init(_ range: ClosedRange<UInt32>) {
    self.init()
    insert(range)
  }

  // MARK: Elements

  package var count: Int { Int(unsafe roaring_bitmap_get_cardinality(storage.raw)) }
  package var isEmpty: Bool { unsafe roaring_bitmap_is_empty(storage.raw) }

  package func contains(_ element: UInt32) -> Bool {
    unsafe roaring_bitmap_contains(storage.raw, element)
  }

  package mutating func insert(_ element: UInt32) {
    makeUnique()
    unsafe roaring_bitmap_add(storage.raw, element)
  }

  package mutating func insert(contentsOf elements: [UInt32]) {
    makeUnique()
    unsafe elements.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      unsafe roaring_bitmap_add_many(storage.raw, buffer.count, start)
    }
  }

  package mutating func insert(_ range: ClosedRange<UInt32>) {
    makeUnique()
    unsafe roaring_bitmap_add_range_closed(storage.raw, range.lowerBound, range.upperBound)
  }

  package mutating func remove(_ element: UInt32) {
    makeUnique()
    unsafe roaring_bitmap_remove(storage.raw, element)
  }

  // MARK: Set operations

  package static func & (left: Bitmap, right: Bitmap) -> Bitmap {
    unsafe Bitmap(owning: BitmapStorage(roaring_bitmap_and(left.storage.raw, right.storage.raw)))
  }

  package static func | (left: Bitmap, right: Bitmap) -> Bitmap {
    unsafe Bitmap(owning: BitmapStorage(roaring_bitmap_or(left.storage.raw, right.storage.raw)))
  }

  package static func ^ (left: Bitmap, right: Bitmap) -> Bitmap {
    unsafe Bitmap(owning: BitmapStorage(roaring_bitmap_xor(left.storage.raw, right.storage.raw)))
  }

  package func subtracting(_ other: Bitmap) -> Bitmap {
    unsafe Bitmap(owning: BitmapStorage(roaring_bitmap_andnot(storage.raw, other.storage.raw)))
  }

  package mutating func formIntersection(_ other: Bitmap) {
    makeUnique()
    unsafe roaring_bitmap_and_inplace(storage.raw, other.storage.raw)
  }

  package mutating func formUnion(_ other: Bitmap) {
    // The storage of the other set is shared.
    guard !isEmpty else { return self = other }
    makeUnique()
    unsafe roaring_bitmap_or_inplace(storage.raw, other.storage.raw)
  }

  package mutating func subtract(_ other: Bitmap) {
    makeUnique()
    unsafe roaring_bitmap_andnot_inplace(storage.raw, other.storage.raw)
  }

  /// Whether the sets have a common element.
  package func intersects(_ other: Bitmap) -> Bool {
    unsafe roaring_bitmap_intersect(storage.raw, other.storage.raw)
  }

  /// The number of common elements.
  package func intersectionCount(_ other: Bitmap) -> Int {
    Int(unsafe roaring_bitmap_and_cardinality(storage.raw, other.storage.raw))
  }

  // MARK: Ranks

  /// The number of elements that are at most `element`.
  package func rank(of element: UInt32) -> Int {
    Int(unsafe roaring_bitmap_rank(storage.raw, element))
  }

  /// The element that has `rank` smaller ones; `nil` if the set has too few elements.
  package func element(atRank rank: Int) -> UInt32? {
    guard let rank = UInt32(exactly: rank) else { return nil }
    var element: UInt32 = 0
    return unsafe roaring_bitmap_select(storage.raw, rank, &element) ? element : nil
  }

  /// The elements at these ranks, in order; fewer if the set ends earlier.
  package func elements(atRanks ranks: Range<Int>) -> [UInt32] {
    guard let first = element(atRank: ranks.lowerBound) else { return [] }
    var iterator = unsafe roaring_uint32_iterator_t()
    unsafe roaring_init_iterator(storage.raw, &iterator)
    guard unsafe roaring_move_uint32_iterator_equalorlarger(&iterator, first) else { return [] }
    return unsafe Self.read(min(ranks.count, count - ranks.lowerBound), from: &iterator)
  }

  /// All elements, in order.
  package var elements: [UInt32] { elements(atRanks: 0..<count) }

  /// Calls a closure with all elements in order, in chunks of at most `size`.
  package func forEachChunk(of size: Int, _ body: ([UInt32]) throws -> Void) rethrows {
    precondition(size > 0, "a chunk must have at least one element")
    var iterator = unsafe roaring_uint32_iterator_t()
    unsafe roaring_init_iterator(storage.raw, &iterator)
    var left = count
    while left > 0 {
      let chunk = unsafe Self.read(min(size, left), from: &iterator)
      left -= chunk.count
      try body(chunk)
    }
  }

  private static func read(
    _ count: Int, from iterator: inout roaring_uint32_iterator_t
  ) -> [UInt32] {
    unsafe [UInt32](unsafeUninitializedCapacity: count) { buffer, initialized in
      guard let start = buffer.baseAddress else { return }
      initialized = Int(
        unsafe roaring_read_uint32_iterator(&iterator, start, UInt32(clamping: count)))
    }
  }

  // MARK: Serialization

  /// Stores consecutive elements as runs, and frees spare memory.
  package mutating func optimize() {
    makeUnique()
    _ = unsafe roaring_bitmap_run_optimize(storage.raw)
    _ = unsafe roaring_bitmap_shrink_to_fit(storage.raw)
  }

  /// The portable format of the Roaring format specification.
  package var serialized: [UInt8] {
    let size = serializedSize
    return unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
      initialized = unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
        guard let start = characters.baseAddress else { return 0 }
        return unsafe roaring_bitmap_portable_serialize(storage.raw, start)
      }
    }
  }

  /// The number of bytes of ``serialized``, which is close to the memory that the set takes.
  package var serializedSize: Int { unsafe roaring_bitmap_portable_size_in_bytes(storage.raw) }

  /// Reads the portable format.
  ///
  /// - Throws: A ``BitmapError`` if the bytes break a rule of the format.
  package init(serialized bytes: [UInt8]) throws(BitmapError) {
    try PortableFormat.validate(bytes)
    let raw = unsafe bytes.withUnsafeBytes { buffer in
      unsafe roaring_bitmap_portable_deserialize_safe(
        buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    guard let raw = unsafe raw else { throw BitmapError(.damaged, "cannot be read", at: 0) }
    unsafe storage = BitmapStorage(raw)
  }

  // MARK: Bitmaps that are used where they lie

  /// The bytes that ``init(frozen:in:)`` reads, which are slightly larger than ``serialized``.
  package var frozen: [UInt8] {
    let size = unsafe roaring_bitmap_frozen_size_in_bytes(storage.raw)
    return unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
      unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
        unsafe roaring_bitmap_frozen_serialize(storage.raw, characters.baseAddress)
      }
      initialized = size
    }
  }

  /// Makes a bitmap that reads ``frozen`` bytes in place; it is copied when it is changed.
  ///
  /// - Throws: A ``BitmapError`` if the bytes are not a bitmap in this layout.
  package init(frozen range: Range<Int>, in bytes: FixedBytes) throws(BitmapError) {
    guard range.lowerBound >= 0, range.upperBound <= bytes.count else {
      throw BitmapError(.cutOff, "is cut off", at: bytes.count)
    }
    let view = unsafe bytes.withBytes(range) { buffer in
      Result { () throws(BitmapError) in
        try unsafe FrozenFormat.validate(buffer)
        let raw = unsafe roaring_bitmap_frozen_view(
          buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
        guard let raw = unsafe raw else { throw BitmapError(.damaged, "cannot be read", at: 0) }
        return unsafe BitmapStorage(UnsafeMutablePointer(mutating: raw), in: bytes)
      }
    }
    storage = try view.get()
  }

  /// Whether the bitmap reads fixed bytes in place.
  package var isFrozen: Bool { storage.isFrozen }

  private mutating func makeUnique() {
    if storage.isFrozen || !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
  }
}

extension Bitmap: Equatable {
  package static func == (left: Bitmap, right: Bitmap) -> Bool {
    unsafe roaring_bitmap_equals(left.storage.raw, right.storage.raw)
  }
}

/// The owner of one CRoaring bitmap, which it frees.
///
/// It is `Sendable`, because only a `Bitmap` that is its sole owner changes it (`makeUnique`), and
/// reading does not write: neither the copy-on-write nor the lazy unions of CRoaring are used. A
/// bitmap in fixed bytes is never changed.
@safe private final class BitmapStorage: @unchecked Sendable {
  let raw: UnsafeMutablePointer<roaring_bitmap_t>
  /// The bytes of a frozen bitmap; `nil` if the bitmap has its own memory.
  private let bytes: FixedBytes?

  var isFrozen: Bool { bytes != nil }

  convenience init() { unsafe self.init(roaring_bitmap_create()) }

  init(_ raw: UnsafeMutablePointer<roaring_bitmap_t>?, in bytes: FixedBytes? = nil) {
    guard let raw = unsafe raw else { preconditionFailure("out of memory") }
    unsafe self.raw = raw
    self.bytes = bytes
  }

  func copy() -> BitmapStorage { unsafe BitmapStorage(roaring_bitmap_copy(raw)) }

  deinit { unsafe roaring_bitmap_free(raw) }
}
