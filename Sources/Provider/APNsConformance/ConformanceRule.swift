package import PushPayload

/// A rule of APNs or of iOS, with its evidence and a case that checks it.
///
/// The rules stand in the folder `Conformance` of the repository; `Conformance/schema.json` describes their form.
package struct ConformanceRule: Sendable {
  /// The party whose behavior a rule describes, with the case that checks it.
  package enum Check: Sendable {
    /// Requests to a server that stands for APNs, and the answers that it gives.
    case server(ServerCase)
    /// The pushes that a client of APNs sends, and the behavior of its server meanwhile.
    case client(ClientCase)
    /// A push to a phone, and what the phone shows.
    case phone(JSONValue)
  }

  /// The public source of a rule.
  package struct Evidence: Decodable, Sendable {
    /// The kind of a source.
    package enum Kind: String, Decodable, Sendable {
      /// A page of Apple's documentation.
      case apple
      /// A standard of the IETF.
      case rfc
      /// An answer in a public forum, or a public issue with a log.
      case log
      /// The source code of a project that works with APNs, or a published analysis of the system's code.
      case source
      /// A measurement that anybody can repeat.
      case measurement
    }

    package var kind: Kind
    /// The address of the page, thread or file.
    package var url: String
    /// The month or day on which it was read, such as `2026-11-28`.
    package var read: String
    /// The part of the source that the rule rests on.
    package var says: String?
  }

  /// The stable name, such as `push.collapse-id`.
  package var id: String
  package var statement: String
  /// The sources, of which a rule has at least one.
  package var evidence: [Evidence]
  /// The interfaces and versions that the rule holds for, such as `APNs /3/device` or `iOS 15 and later`.
  package var versions: [String]
  package var check: Check

  /// The case of a rule about servers.
  package var serverCase: ServerCase? { if case .server(let value) = check { value } else { nil } }
  /// The case of a rule about clients.
  package var clientCase: ClientCase? { if case .client(let value) = check { value } else { nil } }
  /// The case of a rule about phones.
  package var phoneCase: JSONValue? { if case .phone(let value) = check { value } else { nil } }
}

extension ConformanceRule: Decodable {
  private enum Key: String, CodingKey {
    case id, statement, evidence, versions, server, client, phone
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let id = try values.decode(String.self, forKey: .id)
    let evidence = try values.decode([Evidence].self, forKey: .evidence)
    let versions = try values.decode([String].self, forKey: .versions)
    let checks: [Check?] = [
      try values.decodeIfPresent(ServerCase.self, forKey: .server).map(Check.server),
      try values.decodeIfPresent(ClientCase.self, forKey: .client).map(Check.client),
      try values.decodeIfPresent(JSONValue.self, forKey: .phone).map(Check.phone),
    ]
    func refuse(_ problem: String) -> DecodingError {
      .dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "the rule \(id) \(problem)"))
    }
    guard !evidence.isEmpty else { throw refuse("has no evidence") }
    guard evidence.allSatisfy({ $0.url.hasPrefix("https://") }) else {
      throw refuse("has evidence without an https address")
    }
    guard !versions.isEmpty else { throw refuse("names no version that it holds for") }
    let cases = checks.compactMap(\.self)
    guard cases.count == 1 else { throw refuse("needs one case: server, client or phone") }
    self.id = id
    statement = try values.decode(String.self, forKey: .statement)
    self.evidence = evidence
    self.versions = versions
    check = cases[0]
  }
}
