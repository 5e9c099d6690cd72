/// An open connection that waits for its client's next request.
struct IdleConnection {
  let id: Int
  /// The open connections of its network.
  let load: Int
  /// The instant from which it waits.
  let since: Duration

  /// The connections to close for the sake of others: first those of the networks with most connections, and of
  /// these the ones that wait longest.
  static func toClose(atMost count: Int, of idle: [IdleConnection]) -> [Int] {
    idle.sorted { ($1.load, $0.since, $0.id) < ($0.load, $1.since, $1.id) }.prefix(count).map(\.id)
  }
}

extension Connection {
  /// Whether no request has come, so that closing the connection loses none.
  var isIdle: Bool {
    switch phase {
    case .proxy, .handshake, .head: !isInFlight
    case .judging, .body, .handling, .answering, .lingering: false
    }
  }
}

extension ConnectionLoop {
  /// Closes idle connections of this loop, so that others can come.
  ///
  /// - Returns: How many.
  func closeIdle(atMost count: Int) -> Int {
    let waiting = connections.values.filter(\.isIdle)
    let loads = shared.loads(of: waiting.map(\.networks))
    let idle = zip(waiting, loads).map { connection, load in
      IdleConnection(id: connection.id, load: load, since: connection.idleSince)
    }
    let ids = IdleConnection.toClose(atMost: count, of: idle)
    for id in ids { connections[id].map { close($0) } }
    return ids.count
  }
}
