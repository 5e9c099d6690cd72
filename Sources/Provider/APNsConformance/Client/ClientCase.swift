/// The case of a rule about clients: what its server does, and what the client has to do.
///
/// The server answers each push with 200, but for the first reaction that a request meets.
package struct ClientCase: Decodable, Sendable {
  /// The number of pushes, each to a device token of its own; one by default.
  package var pushes: Int?
  /// The device token of a single push, if the rule is about its form.
  package var token: String?
  /// Whether the client may send the pushes at once; otherwise each follows the answer to the one before.
  package var together: Bool?
  package var peer: Peer?
  package var reactions: [Reaction]?
  package var expect: Expectation

  /// The properties of the server.
  package struct Peer: Decodable, Sendable {
    package enum Certificate: String, Decodable, Sendable {
      /// An authority that the client does not trust has issued it.
      case untrusted
      /// It is that of another host.
      case otherHost = "other-host"
    }

    package var certificate: Certificate?
    /// The number of streams that it allows; 100 by default.
    package var streams: UInt32?
    /// The bytes of a body that it takes before it opens the window further.
    package var window: UInt32?
    /// The size of its HPACK table.
    package var table: UInt32?
  }

  /// A behavior of the server towards a request.
  package struct Reaction: Decodable, Sendable {
    package enum Action: String, Decodable, Sendable {
      /// Answers with ``Reaction/status``.
      case answer
      /// Resets the stream with ``Reaction/code``.
      case reset
      /// Answers with 200, and announces the end of the connection after this request.
      case goAwayAfter = "goaway-after"
      /// Announces the end of the connection before this request, which is not processed.
      case goAwayBefore = "goaway-before"
      /// Closes the connection without an answer.
      case close
      /// Sends PING, and answers with 200 once the client has acknowledged it.
      case ping
      /// Answers with 200, and allows ``Reaction/streams`` streams from then on.
      case limit
    }

    /// The number of the request, counted from 1 over all connections; `nil` for any.
    package var request: Int?
    /// Whether it meets only requests with the provider token of the first one.
    package var firstToken: Bool?
    package var action: Action
    package var status: Int?
    package var reason: String?
    package var timestamp: Int64?
    package var code: UInt32?
    package var streams: UInt32?

    private enum CodingKeys: String, CodingKey {
      case request, action, status, reason, timestamp, code, streams
      case firstToken = "first-token"
    }
  }

  /// The requests and reports that a client has to make; a member that is left out allows everything.
  package struct Expectation: Decodable, Sendable {
    /// The fewest and the most requests for each push.
    package var requests: [Int]?
    /// The fewest and the most connections on which requests came.
    package var connections: [Int]?
    /// The fewest and the most distinct provider tokens.
    package var providerTokens: [Int]?
    /// The results that the client may report for a push, such as `200`, `410 Unregistered` or `none`.
    package var results: [String]?
    /// Header fields of each request.
    package var headers: [String: String]?
    /// Whether the provider tokens have to be as APNs documents them, and verify.
    package var validToken: Bool?
    /// Whether the payload has to come unchanged.
    package var payload: Bool?
    /// Whether repeated requests of a push have the same `apns-id`, if they have one.
    package var sameID: Bool?

    private enum CodingKeys: String, CodingKey {
      case requests, connections, results, headers, payload
      case providerTokens = "provider-tokens"
      case validToken = "valid-token"
      case sameID = "same-id"
    }
  }
}
