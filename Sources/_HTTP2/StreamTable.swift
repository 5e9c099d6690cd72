/// Values by the number of their stream, for streams whose numbers mostly lie close together.
///
/// Most lie in an array, at the place their number points to. It grows while two have the same place, up
/// to a limit; then one whose place is taken, as by a stream that outlived thousands, lies in a
/// dictionary. `public` and not `package`: other modules specialize only that, and unspecialized it costs
/// more than hashing.
public struct StreamTable<Value> {
  @usableFromInline static var fewestPlaces: Int { 32 }
  /// More than twice the streams that one side has open.
  @usableFromInline static var mostPlaces: Int { 2048 }
  /// Whose the places are; 0 where a place is free.
  @usableFromInline var streams: [Int32] = []
  @usableFromInline var values: [Value?] = []
  @usableFromInline var others: [Int32: Value] = [:]
  @usableFromInline var taken = 0

  /// An empty table, which has no memory yet.
  @inlinable public init() {}

  /// How many streams have a value.
  @inlinable public var count: Int { taken + others.count }

  /// All streams and values, in no order.
  @inlinable public var elements: [(stream: Int32, value: Value)] {
    zip(streams, values).compactMap { stream, value in value.map { (stream, $0) } }
      + others.map { ($0.key, $0.value) }
  }

  /// The value of a stream, if it has one.
  @inlinable public subscript(stream: Int32) -> Value? {
    isInPlace(stream) ? values[place(stream)] : others.isEmpty ? nil : others[stream]
  }

  /// Puts a value in.
  @inlinable public mutating func insert(_ value: Value, _ stream: Int32) {
    // One that lies in the dictionary stays there, though its place may be free by now.
    if !others.isEmpty, others[stream] != nil { return others[stream] = value }
    while !hasPlace(stream) {
      guard streams.count < Self.mostPlaces else { return others[stream] = value }
      grow()
    }
    let place = place(stream)
    if streams[place] == 0 { taken += 1 }
    streams[place] = stream
    values[place] = value
  }

  @inlinable func hasPlace(_ stream: Int32) -> Bool {
    guard !streams.isEmpty else { return false }
    let owner = streams[place(stream)]
    return owner == 0 || owner == stream
  }

  /// Doubles the places; two that had one each do not meet in more.
  @inlinable mutating func grow() {
    let (oldStreams, oldValues) = (streams, values)
    let count = max(Self.fewestPlaces, 2 * streams.count)
    streams = Array(repeating: 0, count: count)
    values = Array(repeating: nil, count: count)
    for (stream, value) in zip(oldStreams, oldValues) where stream != 0 {
      streams[place(stream)] = stream
      values[place(stream)] = value
    }
  }

  /// Changes a value, if there is one.
  @inlinable public mutating func update(_ stream: Int32, _ change: (inout Value) -> Void) {
    guard isInPlace(stream) else {
      guard !others.isEmpty, var value = others[stream] else { return }
      change(&value)
      return others[stream] = value
    }
    let place = place(stream)
    guard var value = values[place].take() else { return }
    change(&value)
    values[place] = value
  }

  /// Takes a value out.
  @inlinable @discardableResult
  public mutating func remove(_ stream: Int32) -> Value? {
    guard isInPlace(stream) else {
      return others.isEmpty ? nil : others.removeValue(forKey: stream)
    }
    let place = place(stream)
    streams[place] = 0
    taken -= 1
    return values[place].take()
  }

  @inlinable func place(_ stream: Int32) -> Int {
    // The streams of one side are odd, or even.
    Int(truncatingIfNeeded: stream >> 1) & (streams.count - 1)
  }

  @inlinable func isInPlace(_ stream: Int32) -> Bool {
    taken > 0 && streams[place(stream)] == stream
  }
}
