package import PushPayload

/// A description of one vendor's payloads for expanded notifications: data, not code.
///
/// A payload belongs to the first adapter of the table whose gate it meets and that has a rule whose condition it meets.
package struct TemplateAdapter: Sendable {
  /// The vendor's dialect.
  package var id: Dialect.ID
  /// A condition that the payloads of all rules meet.
  var gate: Signature
  /// The categories under which the vendor's content extension is registered; empty if the app chooses them.
  package var categories: [String] = []
  /// The paths of the objects that may hold the template's keys, the preferred first; the first that is an object counts.
  ///
  /// In a rule, paths that begin with `$.` start at the top of the payload, and all others at this object.
  var roots: [PayloadPath] = [""]
  /// The paths of the vendor's identifier, which start at the top of the payload.
  var messageID: [PayloadPath] = []
  /// One rule for each template of the vendor, the preferred first.
  var rules: [TemplateRule]

  init(
    _ id: Dialect.ID, if gate: Signature, rules: [TemplateRule],
    configure: (inout TemplateAdapter) -> Void
  ) {
    self.id = id
    self.gate = gate
    self.rules = rules
    configure(&self)
  }
}
