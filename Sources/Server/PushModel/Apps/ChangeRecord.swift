/// The audit entry and the webhook notice of a change, which are written in its transaction.
package struct ChangeRecord: Hashable, Sendable {
  /// The audit entry; `nil` if the change is not logged.
  package var entry: AuditEntry?
  /// The notice to the app's webhooks; `nil` if they are not called.
  package var notice: WebhookNotice?

  package init(_ entry: AuditEntry? = nil, notice: WebhookNotice? = nil) {
    self.entry = entry
    self.notice = notice
  }
}
