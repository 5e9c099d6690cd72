/// Routes as a tree of the segments of their paths, which is walked once for a request.
struct RouteTable: Sendable {
  private struct Node {
    var literals: [String: Int] = [:]
    /// Where any one segment leads.
    var any: Int?
    /// The routes that end here, by their numbers.
    var routes: [Int] = []
  }

  let routes: [Route]
  private var nodes = [Node()]

  init(_ routes: [Route]) {
    self.routes = routes
    for (number, route) in routes.enumerated() {
      var place = 0
      for part in route.parts { place = next(after: place, part.isName ? nil : part.text) }
      nodes[place].routes.append(number)
    }
  }

  /// The node behind a literal, or behind any segment, which is made where there is none.
  private mutating func next(after place: Int, _ literal: String?) -> Int {
    let known = literal.map { nodes[place].literals[$0] } ?? nodes[place].any
    if let known { return known }
    if let literal {
      nodes[place].literals[literal] = nodes.count
    } else {
      nodes[place].any = nodes.count
    }
    nodes.append(Node())
    return nodes.count - 1
  }

  /// The routes whose pattern a path has, in the table's order.
  func routes(at segments: [String]) -> [Int] {
    var places = [0]
    for segment in segments {
      var next: [Int] = []
      for place in places {
        if let literal = nodes[place].literals[segment] { next.append(literal) }
        if let any = nodes[place].any { next.append(any) }
      }
      places = next
    }
    return places.count == 1
      ? nodes[places[0]].routes : places.flatMap { nodes[$0].routes }.sorted()
  }
}
