import PushStore

extension SecretKey {
  /// Encrypts a webhook's secret such that it opens for this webhook only.
  func seal(webhookSecret secret: String, of id: String) -> [UInt8] {
    seal(secret, for: Self.owner(ofWebhook: id))
  }

  /// Decrypts a webhook's secret; `nil` where another secret key encrypted it.
  func secret(of webhook: Webhook) -> String? {
    open(webhook.sealedSecret, for: Self.owner(ofWebhook: webhook.id))
  }

  private static func owner(ofWebhook id: String) -> String { "webhook/" + id }
}
