import PushPayload

/// The valid elements of a list whose elements are stored individually, and the others with their reasons.
///
/// One invalid element does not cause the others to be refused, because the caller would send all of them again.
struct ValidElements<Value: Sendable>: Sendable {
  private(set) var values: [Value] = []
  /// The JSON of the values, in the same order.
  private(set) var sources: [JSONValue] = []
  private(set) var dropped: [DroppedMember] = []

  /// Reads the elements of a list; `name` is their name in an error message.
  ///
  /// - Throws: ``RequestError`` if there are no elements or more than `limit`, or the first problem if none is valid.
  init(
    _ field: BodyValue, upTo limit: Int, of name: String,
    read: (BodyValue) throws(RequestError) -> Value
  ) throws(RequestError) {
    let elements = try field.elements()
    guard (1...limit).contains(elements.count) else {
      throw .refused(field.path, "must have 1 to \(limit) \(name)")
    }
    var first: RequestError?
    for element in elements {
      do throws(RequestError) {
        values.append(try read(element))
        sources.append(element.value)
      } catch {
        first = first ?? error
        dropped.append(DroppedMember(error, at: element.path))
      }
    }
    if values.isEmpty, let first { throw first }
  }
}
