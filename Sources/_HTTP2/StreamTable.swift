/// Values by the number of their stream, for streams whose numbers mostly lie close together.
///
/// Most lie in an array, at the place their number points to. One whose place is taken, as by a stream
/// that outlived thousands, lies in a dictionary.
package struct StreamTable<Value> {
  /// More than twice the streams that one side has open.
  @usableFromInline let placeCount = 2048
  /// Whose the places are; 0 where a place is free.
  @usableFromInline var streams: [Int32] = []
  @usableFromInline var values: [Value?] = []
  @usableFromInline var others: [Int32: Value] = [:]
  @usableFromInline var taken = 0

  @inlinable package init() {}

  /// How many streams have a value.
  @inlinable package var count: Int { taken + others.count }

  /// All streams and values, in no order.
  @inlinable package var elements: [(stream: Int32, value: Value)] {
    zip(streams, values).compactMap { stream, value in value.map { (stream, $0) } }
      + others.map { ($0.key, $0.value) }
  }

  @inlinable package subscript(stream: Int32) -> Value? {
    get { isInPlace(stream) ? values[place(stream)] : others.isEmpty ? nil : others[stream] }
    _modify {
      if streams.isEmpty {
        streams = Array(repeating: 0, count: placeCount)
        values = Array(repeating: nil, count: placeCount)
      }
      let place = place(stream)
      if isInPlace(stream) || streams[place] == 0 && (others.isEmpty || others[stream] == nil) {
        let wasThere = streams[place] == stream
        yield &values[place]
        let isThere = values[place] != nil
        streams[place] = isThere ? stream : 0
        taken += (isThere ? 1 : 0) - (wasThere ? 1 : 0)
      } else {
        yield &others[stream]
      }
    }
  }

  /// Takes a value out.
  @inlinable @discardableResult
  package mutating func remove(_ stream: Int32) -> Value? {
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
    Int(truncatingIfNeeded: stream >> 1) & (placeCount - 1)
  }

  @inlinable func isInPlace(_ stream: Int32) -> Bool {
    taken > 0 && streams[place(stream)] == stream
  }
}
