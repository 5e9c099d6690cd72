/// The routes as a tree of their path segments, which a request walks once.
struct RouteTable: Sendable {
  private struct Node {
    var literals: [String: Int] = [:]
    /// The node after a name, which matches any segment.
    var any: Int?
    /// The indices of the routes that end here.
    var routes: [Int] = []
  }

  let routes: [Route]
  private var nodes = [Node()]

  init(_ routes: [Route]) {
    self.routes = routes
    for (number, route) in routes.enumerated() {
      var node = 0
      for part in route.parts { node = next(after: node, part.isName ? nil : part.text) }
      nodes[node].routes.append(number)
    }
  }

  /// Returns the node after a literal, or after a name if `literal` is `nil`; makes the node if it does not exist.
  private mutating func next(after node: Int, _ literal: String?) -> Int {
    let known = literal.map { nodes[node].literals[$0] } ?? nodes[node].any
    if let known { return known }
    if let literal {
      nodes[node].literals[literal] = nodes.count
    } else {
      nodes[node].any = nodes.count
    }
    nodes.append(Node())
    return nodes.count - 1
  }

  /// Returns the indices of the routes whose pattern matches a path, in the table's order.
  func routes(at segments: [String]) -> [Int] {
    var matching = [0]
    for segment in segments {
      var next: [Int] = []
      for node in matching {
        if let literal = nodes[node].literals[segment] { next.append(literal) }
        if let any = nodes[node].any { next.append(any) }
      }
      matching = next
    }
    return matching.count == 1
      ? nodes[matching[0]].routes : matching.flatMap { nodes[$0].routes }.sorted()
  }
}
