/// A table of values by stream number, which is fast if the numbers are close together.
///
/// Most values are in slots of an array, at an index computed from their number. The array grows while two numbers have
/// the same slot, up to a limit. After that, a value whose slot is in use, for example by a stream that outlived
/// thousands of others, is kept in a dictionary. The type is `public` instead of `package`, because other modules
/// specialize only public generics, and without specialization it is slower than hashing.
public struct StreamTable<Value> {
  @usableFromInline static var minSlots: Int { 32 }
  /// The most slots, which is more than twice the number of streams that one side has open.
  @usableFromInline static var maxSlots: Int { 2048 }
  /// The stream in each slot; 0 if the slot is free.
  @usableFromInline var streams: [Int32] = []
  @usableFromInline var values: [Value?] = []
  @usableFromInline var others: [Int32: Value] = [:]
  @usableFromInline var usedSlots = 0

  /// Makes an empty table, which uses no memory yet.
  @inlinable public init() {}

  /// The number of streams that have a value.
  @inlinable public var count: Int { usedSlots + others.count }

  /// All streams and values, in an unspecified order.
  @inlinable public var elements: [(stream: Int32, value: Value)] {
    zip(streams, values).compactMap { stream, value in value.map { (stream, $0) } }
      + others.map { ($0.key, $0.value) }
  }

  /// The value of a stream, if it has one.
  @inlinable public subscript(stream: Int32) -> Value? {
    isInSlot(stream) ? values[slot(stream)] : others.isEmpty ? nil : others[stream]
  }

  /// Sets the value of a stream.
  @inlinable public mutating func insert(_ value: Value, _ stream: Int32) {
    // A value in the dictionary stays there, even if its slot has become free.
    if !others.isEmpty, others[stream] != nil { return others[stream] = value }
    while !hasSlot(stream) {
      guard streams.count < Self.maxSlots else { return others[stream] = value }
      grow()
    }
    let slot = slot(stream)
    if streams[slot] == 0 { usedSlots += 1 }
    streams[slot] = stream
    values[slot] = value
  }

  @inlinable func hasSlot(_ stream: Int32) -> Bool {
    guard !streams.isEmpty else { return false }
    let owner = streams[slot(stream)]
    return owner == 0 || owner == stream
  }

  /// Doubles the slots; streams in different slots are also in different slots of the larger array.
  @inlinable mutating func grow() {
    let (oldStreams, oldValues) = (streams, values)
    let count = max(Self.minSlots, 2 * streams.count)
    streams = Array(repeating: 0, count: count)
    values = Array(repeating: nil, count: count)
    for (stream, value) in zip(oldStreams, oldValues) where stream != 0 {
      streams[slot(stream)] = stream
      values[slot(stream)] = value
    }
  }

  /// Changes the value of a stream, if it has one.
  @inlinable public mutating func update(_ stream: Int32, _ change: (inout Value) -> Void) {
    guard isInSlot(stream) else {
      guard !others.isEmpty, var value = others[stream] else { return }
      change(&value)
      return others[stream] = value
    }
    let slot = slot(stream)
    guard var value = values[slot].take() else { return }
    change(&value)
    values[slot] = value
  }

  /// Removes the value of a stream.
  @inlinable @discardableResult
  public mutating func remove(_ stream: Int32) -> Value? {
    guard isInSlot(stream) else {
      return others.isEmpty ? nil : others.removeValue(forKey: stream)
    }
    let slot = slot(stream)
    streams[slot] = 0
    usedSlots -= 1
    return values[slot].take()
  }

  @inlinable func slot(_ stream: Int32) -> Int {
    // The stream numbers of one side are all odd or all even.
    Int(truncatingIfNeeded: stream >> 1) & (streams.count - 1)
  }

  @inlinable func isInSlot(_ stream: Int32) -> Bool {
    usedSlots > 0 && streams[slot(stream)] == stream
  }
}
