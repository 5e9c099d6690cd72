/// The audit entry and the webhook notice of a change, which are written in its transaction.
package struct ChangeRecord: Hashable, Sendable {
  /// Who made the change; `nil` writes no entry.
  package var entry: AuditEntry?
  /// What the app's webhooks are sent; `nil` sends nothing.
  package var notice: WebhookNotice?

  package init(_ entry: AuditEntry? = nil, notice: WebhookNotice? = nil) {
    self.entry = entry
    self.notice = notice
  }
}
