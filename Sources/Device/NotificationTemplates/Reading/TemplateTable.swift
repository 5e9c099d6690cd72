package import PushPayload

/// The adapters that a device reads, in order of preference.
///
/// ```swift
/// let reading = TemplateTable.standard.read(payload, delivered: 1_795_950_000)
/// print(reading.template?.kind ?? .text, reading.findings.count)
/// ```
package struct TemplateTable: Sendable {
  package var adapters: [TemplateAdapter]

  /// The adapters of all vendors whose content extensions are published, and Martlet's own, which is preferred.
  package static let standard = TemplateTable(adapters: [
    .martlet, .cleverTap, .adobe, .webEngage, .moEngage, .exponea, .airship, .reteno, .dengage,
    .relatedDigital, .oneSignal, .pushwoosh,
  ])

  /// Reads the template of a payload, and reports the parts that cannot be read.
  ///
  /// - Parameters:
  ///   - payload: The whole payload, `aps` included.
  ///   - alert: The texts that the system shows; `nil` for those of `aps.alert`.
  ///   - category: The category of the notification; `nil` for `aps.category`.
  ///   - delivered: The time of delivery in seconds since 1970, at which countdowns begin.
  /// - Returns: The findings, and the template if the payload has one of any vendor.
  package func read(
    _ payload: JSONValue, alert: TemplateTexts? = nil, category: String? = nil,
    delivered: Double
  ) -> TemplateReading {
    for adapter in adapters where adapter.gate.matches(payload) {
      guard let rule = adapter.rules.first(where: { $0.condition.matches(payload) }) else {
        continue
      }
      var reader = TemplateReader(
        payload: payload, adapter: adapter, rule: rule,
        alert: alert ?? TemplateTexts(alertOf: payload),
        category: category ?? payload["aps"]?["category"]?.string ?? "", delivered: delivered)
      let template = reader.template()
      return TemplateReading(
        template: template, rule: rule.name, findings: reader.values.findings)
    }
    return TemplateReading()
  }
}

/// A template, with findings about the parts that could not be read.
package struct TemplateReading: Hashable, Sendable {
  package var template: NotificationTemplate?
  /// The vendor's name of the template: `pt_timer`.
  package var rule: String?
  package var findings: [PayloadFinding] = []
}

extension PayloadFinding.Code {
  /// A template has less than its kind needs, and is shown as a simpler kind.
  package static let degraded = PayloadFinding.Code(rawValue: "template-degraded")
  /// The name of a template or a word is not known.
  package static let unknownName = PayloadFinding.Code(rawValue: "unknown-name")
  /// The notification's category is not that of the template, so iOS does not start the content extension.
  package static let wrongCategory = PayloadFinding.Code(rawValue: "template-category")
}

extension TemplateTexts {
  /// The texts of a notification as it is shown; empty ones are absent.
  package static func shown(title: String, subtitle: String, body: String) -> TemplateTexts {
    func text(_ string: String) -> TemplateText? { string.isEmpty ? nil : TemplateText(string) }
    return TemplateTexts(title: text(title), subtitle: text(subtitle), body: text(body))
  }

  /// The literal texts of `aps.alert`.
  init(alertOf payload: JSONValue) {
    self.init()
    guard let alert = payload["aps"]?["alert"] else { return }
    func text(_ value: JSONValue?, limit: Int) -> TemplateText? {
      guard let string = value?.string, !string.isBlank else { return nil }
      let text = TemplateText(string)
      return text.cut(to: limit) ?? text
    }
    if alert.string != nil {
      body = text(alert, limit: TemplateLimits.body)
    } else {
      title = text(alert["title"], limit: TemplateLimits.title)
      subtitle = text(alert["subtitle"], limit: TemplateLimits.title)
      body = text(alert["body"], limit: TemplateLimits.body)
    }
  }
}
