import _TLS

/// What APNs checks of the certificate that a provider showed in the TLS handshake.
///
/// Source: Apple's "Establishing a certificate-based connection to APNs".
struct CertificateRules {
  /// Whether a known authority has to have signed it.
  let needsTrust: Bool

  /// Checks a push for a topic; `now` is in seconds since 1970.
  func check(_ peer: TLSPeer, topic: String, now: Int64) throws(SandboxRules.Refusal) {
    let topics = Self.topics(peer)
    guard !topics.isEmpty, peer.validity.contains(now), peer.isTrusted || !needsTrust else {
      throw SandboxRules.Refusal(403, "BadCertificate")
    }
    guard topics.contains(topic) else { throw SandboxRules.Refusal(400, "TopicDisallowed") }
  }

  /// The topic of a push that names none: that of a certificate with one alone.
  static func impliedTopic(_ peer: TLSPeer?) -> String? {
    let topics = peer.map(topics) ?? []
    return topics.count == 1 ? topics[0] : nil
  }

  /// Those of its list; one without a list is for the bundle id in its subject.
  private static func topics(_ peer: TLSPeer) -> [String] {
    peer.pushTopics ?? peer.userID.map { [$0] } ?? []
  }
}
