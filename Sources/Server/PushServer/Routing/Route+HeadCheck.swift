import PushPayload
import _HTTPServer

extension Route {
  /// Refuses a head that does not fit the operation, before the body is taken.
  func check(_ head: HTTPRequest) throws(RequestError) {
    if let given = head.mediaType, !bodies.isEmpty, !bodies.contains(given) {
      throw RequestError(
        .unsupportedType,
        "Content-Type must be \(bodies.joined(separator: " or ")), not \(given.prefix(64))")
    }
    guard let queryNames else { return }
    var seen: Set<String> = []
    for (name, _) in head.query {
      guard queryNames.contains(name) else {
        let shown = name.prefix(NearestName.limit)
        throw .unknown("the query's parameter \(shown)", name, knows: queryNames)
      }
      guard seen.insert(name).inserted else {
        throw RequestError(.invalid, "the query's parameter \(name) is repeated")
      }
    }
  }
}
