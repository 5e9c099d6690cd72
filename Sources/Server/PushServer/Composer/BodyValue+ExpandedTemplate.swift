import NotificationTemplates
import PushPayload

extension BodyValue {
  /// Checks `_martlet.template` of a payload, the template of the expanded notification.
  ///
  /// A phone leaves out a value that it cannot read and reports nothing, so the sender learns of it here. A
  /// template with Liquid differs between devices and is not checked, nor are vendors' templates, which other
  /// libraries read.
  ///
  /// - Parameter sample: The payload, composed for a device without attributes.
  /// - Throws: ``RequestError`` `.invalid` with the JSON path of the first value that a phone cannot read.
  func checkExpandedTemplate(in sample: [UInt8]) throws(RequestError) {
    guard let template = self["_martlet"]?["template"], !template.value.hasLiquid,
      let payload = try? JSONValue(parsing: sample)
    else { return }
    let reading = TemplateTable.standard.read(payload, delivered: 0)
    guard let finding = reading.findings.first else { return }
    let path = path + (finding.path == "$.aps.category" ? ".category" : finding.path.dropFirst())
    throw .refused(path, finding.message)
  }
}

extension JSONValue {
  /// Whether a text in the value has Liquid's tags.
  var hasLiquid: Bool {
    switch self {
    case .string(let text): text.contains("{{") || text.contains("{%")
    case .array(let elements): elements.contains(where: \.hasLiquid)
    case .object(let members): members.values.contains(where: \.hasLiquid)
    case .null, .bool, .integer, .number: false
    }
  }
}
