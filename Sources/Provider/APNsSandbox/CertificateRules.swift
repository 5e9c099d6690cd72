import _TLS

/// The checks of APNs on the certificate of a provider.
///
/// Source: Apple's "Establishing a certificate-based connection to APNs".
struct CertificateRules {
  /// Whether a trusted authority must have signed the certificate.
  let needsTrust: Bool

  /// Checks a push for a topic; `now` is in seconds since 1970.
  func check(_ peer: TLSPeer, topic: String, now: Int64) throws(SandboxRules.Refusal) {
    let topics = Self.topics(peer)
    guard !topics.isEmpty, peer.validity.contains(now), peer.isTrusted || !needsTrust else {
      throw SandboxRules.Refusal(403, "BadCertificate")
    }
    guard topics.contains(topic) else { throw SandboxRules.Refusal(400, "TopicDisallowed") }
  }

  /// The topic of a push without `apns-topic`: that of a certificate with a single topic.
  static func impliedTopic(_ peer: TLSPeer?) -> String? {
    let topics = peer.map(topics) ?? []
    return topics.count == 1 ? topics[0] : nil
  }

  /// The topics of a certificate: those of its list, or else the bundle id in its subject.
  private static func topics(_ peer: TLSPeer) -> [String] {
    peer.pushTopics ?? peer.userID.map { [$0] } ?? []
  }
}
