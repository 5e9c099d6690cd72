/// What is written down beside a change, in its own transaction, so that a crash loses neither.
package struct ChangeRecord: Hashable, Sendable {
  /// Who made the change.
  package var entry: AuditEntry?
  /// What webhooks are told of it.
  package var news: WebhookNotice?

  package init(_ entry: AuditEntry? = nil, news: WebhookNotice? = nil) {
    self.entry = entry
    self.news = news
  }
}
