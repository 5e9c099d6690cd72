/// An open connection that is waiting for its client's next request.
struct IdleConnection {
  let id: Int
  /// The number of open connections of its network.
  let load: Int
  /// The time since which it has been waiting.
  let since: Duration

  /// The connections to close so that others can be accepted.
  ///
  /// Those of the networks with the most connections come first, and of these the ones that have waited the longest.
  static func toClose(atMost count: Int, of idle: [IdleConnection]) -> [Int] {
    idle.sorted { ($1.load, $0.since, $0.id) < ($0.load, $1.since, $1.id) }.prefix(count).map(\.id)
  }
}

extension Connection {
  /// Whether no part of a request was received, so that closing the connection loses no request.
  var isIdle: Bool {
    switch phase {
    case .proxy, .handshake: !isInFlight
    case .head: !isInFlight && reader.waitingCount == 0
    case .judging, .body, .handling, .answering, .lingering: false
    }
  }
}

extension ConnectionLoop {
  /// Closes idle connections of this loop to make room for others.
  ///
  /// - Returns: The number of closed connections.
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
