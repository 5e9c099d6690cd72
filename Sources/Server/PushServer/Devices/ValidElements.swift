import PushPayload

/// The valid elements of a list whose elements are stored each for itself, and the others with the
/// reason.
///
/// One bad element does not take the others with it: the caller would send all of them again.
struct ValidElements<Value: Sendable>: Sendable {
  private(set) var values: [Value] = []
  /// The JSON of the values, in their order.
  private(set) var sources: [JSONValue] = []
  private(set) var dropped: [DroppedMember] = []

  /// Reads the elements of a list; `name` is what they are called.
  ///
  /// - Throws: ``APIError`` where there are none or more than `limit`, or the first problem where none is valid.
  init(
    _ field: BodyValue, upTo limit: Int, of name: String,
    read: (BodyValue) throws(APIError) -> Value
  ) throws(APIError) {
    let elements = try field.elements()
    guard (1...limit).contains(elements.count) else {
      throw .refused(field.path, "must have 1 to \(limit) \(name)")
    }
    var first: APIError?
    for element in elements {
      do throws(APIError) {
        values.append(try read(element))
        sources.append(element.value)
      } catch {
        first = first ?? error
        dropped.append(DroppedMember(error, at: element.path))
      }
    }
    if values.isEmpty, let first { throw first }
  }

  /// The answer of a route that stores them: an empty object where nothing was dropped.
  var answer: JSONValue {
    dropped.isEmpty ? [:] : ["dropped": .array(dropped.map(\.json))]
  }
}
