/// The decisions of a scripted server about the requests of one client, without a socket.
struct PeerScript {
  /// A request that arrived completely.
  struct Request: Sendable {
    /// The number of the connection, counted from 1.
    var connection: Int
    var fields: [String: String]
    var body: [UInt8]

    /// The device token in the path.
    var token: String {
      let path = fields[":path"] ?? ""
      return path.hasPrefix("/3/device/") ? String(path.dropFirst(10)).lowercased() : ""
    }
    var authorization: String? { fields["authorization"] }
  }

  /// What the server has to do with the stream of a request.
  enum Order: Equatable {
    case answer(status: Int, reason: String?, timestamp: Int64?)
    case reset(code: UInt32)
    /// Sends GOAWAY; the request is answered before it, or else not processed.
    case goAway(answers: Bool)
    case close
    case ping
    /// Allows a number of streams, and answers.
    case limit(UInt32)
  }

  static let accept = Order.answer(status: 200, reason: nil, timestamp: nil)

  private let reactions: [ClientCase.Reaction]
  /// All requests, in the order in which they were complete.
  private(set) var requests: [Request] = []

  init(_ reactions: [ClientCase.Reaction]) { self.reactions = reactions }

  /// Decides about a request.
  mutating func on(_ request: Request) -> Order {
    requests.append(request)
    let first = requests[0].authorization
    let reaction = reactions.first { reaction in
      reaction.request ?? requests.count == requests.count
        && (reaction.firstToken != true || request.authorization == first)
    }
    guard let reaction else { return Self.accept }
    switch reaction.action {
    case .answer:
      return .answer(
        status: reaction.status ?? 200, reason: reaction.reason, timestamp: reaction.timestamp)
    case .reset: return .reset(code: reaction.code ?? 0)
    case .goAwayAfter: return .goAway(answers: true)
    case .goAwayBefore: return .goAway(answers: false)
    case .close: return .close
    case .ping: return .ping
    case .limit: return .limit(reaction.streams ?? 1)
    }
  }
}
