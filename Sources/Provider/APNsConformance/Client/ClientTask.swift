/// The pushes that a client has to send to the server of a case.
package struct ClientTask: Sendable {
  package var host = "127.0.0.1"
  package var port: UInt16
  /// PEM certificate of the authority that the client must trust.
  package var authorityPEM: String
  package var identity: ProviderIdentity
  package var topic = "com.example.app"
  /// The device tokens, one for each push.
  package var tokens: [String]
  package var payload = #"{"aps":{"alert":{"title":"Hello","body":"Grüße"},"sound":"default"}}"#
  /// Whether the pushes may be sent at once.
  package var isTogether: Bool
}

/// The result of one push as a client reports it.
package struct ClientReport: Sendable {
  package var token: String
  /// The status, or `nil` if the client got no answer.
  package var status: Int?
  package var reason: String?

  package init(token: String, status: Int?, reason: String?) {
    self.token = token
    self.status = status
    self.reason = reason
  }

  /// Reads a line `TOKEN STATUS [REASON]`, in which a push without an answer has the status `none`.
  package init?(line: String) {
    let words = line.split(separator: " ").map(String.init)
    guard words.count == 2 || words.count == 3, words[1] == "none" || Int(words[1]) != nil else {
      return nil
    }
    self.init(token: words[0], status: Int(words[1]), reason: words.count == 3 ? words[2] : nil)
  }

  /// The result in words, such as `410 Unregistered`.
  var text: String {
    guard let status else { return "none" }
    return [String(status), reason].compactMap(\.self).joined(separator: " ")
  }
}
