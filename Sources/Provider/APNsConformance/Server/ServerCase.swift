package import PushPayload

/// The case of a rule about servers: requests on one connection, and the answers to expect.
///
/// Each request is a push without a fault, but for what the step says.
package struct ServerCase: Decodable, Sendable {
  /// A fact that the server must know beforehand; without it the rule is not checked.
  package enum Need: String, Decodable, Sendable {
    /// The key of the run, as it then verifies signatures.
    case providerKey = "provider-key"
    /// A device token that is no longer active.
    case goneToken = "gone-token"
  }

  package var needs: Need?
  package var steps: [Step]

  /// A request and the answer to expect; without a request, only the connection is looked at.
  package struct Step: Decodable, Sendable {
    package var send: Request?
    /// A PING to send in place of a request.
    package var ping: Bool?
    /// The number of times that the request is sent at once; once by default.
    package var times: Int?
    package var expect: Answer
    /// Header fields of the answer that later steps use as `{NAME}`, by name.
    package var keep: [String: String]?
  }

  /// The differences of a request from a push without a fault.
  package struct Request: Decodable, Sendable {
    package var method: String?
    package var path: String?
    /// Header fields: a text replaces the value, `null` removes the field, an array repeats it.
    package var headers: [String: JSONValue]?
    package var token: ProviderTokenCase?
    /// The body as a text.
    package var body: String?
    /// The size of the body in bytes, which is a valid payload that is filled up.
    package var bytes: Int?
  }

  /// The answer that a rule asks for; a member that is left out allows everything.
  package struct Answer: Decodable, Sendable {
    /// The statuses, one of which must come.
    package var status: [Int]?
    /// The reasons, one of which must come.
    package var reason: [String]?
    /// Header fields: a text with placeholders, or `null` for a field that must not be there.
    package var headers: [String: JSONValue]?
    /// Whether the body must be empty.
    package var empty: Bool?
    /// Whether a `timestamp` in milliseconds must be in the body, or must not.
    package var timestamp: Bool?
    /// Members that the JSON of the body must have.
    package var body: [String: JSONValue]?
    /// The smallest and the largest number of streams that the server allows after the step.
    package var streams: [Int]?
  }
}

/// A provider token whose differences from a valid one a rule names.
package struct ProviderTokenCase: Decodable, Hashable, Sendable {
  package enum Signature: String, Decodable, Sendable {
    case valid
    /// Another key than that of the key id signs.
    case otherKey = "other-key"
    case none
  }

  /// The age in seconds; ten by default, so that no clock is ahead.
  package var age: Int64?
  /// The scheme before the token; `bearer` by default.
  package var scheme: String?
  /// Members of the header to replace, or to remove with `null`.
  package var header: [String: JSONValue]?
  /// Claims to replace, or to remove with `null`.
  package var claims: [String: JSONValue]?
  package var signature: Signature?
  /// A text in place of a token.
  package var text: String?
}
