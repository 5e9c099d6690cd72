import Liquid
import PushModel
import PushPayload

/// A text of the payload that may differ by device, by locale or through a Liquid template.
struct PersonalizedText: Sendable {
  private enum Variant: Sendable {
    case fixed(escaped: [UInt8], String)
    case liquid(Template)
  }

  /// The variants by normalized locale; the key `nil` has the default.
  private let variants: [String?: Variant]
  private let path: String

  /// Reads a text, which may be Liquid, or an object of texts by locale with a `default`.
  init(_ field: BodyValue) throws(ComposeError) {
    path = field.path
    guard field.value.object != nil else {
      variants = [nil: try Self.variant(field)]
      return
    }
    var variants: [String?: Variant] = [:]
    for name in field.value.object?.keys.sorted() ?? [] {
      guard let text = field[name] else { continue }
      guard name == TextLocale.fallback || TextLocale.isLocale(name) else {
        throw ComposeError(
          .refused, "\(text.path) must be named by a locale such as en or pt-BR, or 'default'",
          at: text.path)
      }
      variants[name == TextLocale.fallback ? nil : TextLocale.normalized(name)] =
        try Self.variant(text)
    }
    guard variants[nil] != nil else {
      throw ComposeError(.missing(field.path(to: TextLocale.fallback)))
    }
    self.variants = variants
  }

  /// The text of every device, escaped for JSON; `nil` if it differs by device.
  var shared: [UInt8]? {
    guard variants.count == 1, case .fixed(let escaped, _)? = variants[nil] else { return nil }
    return escaped
  }

  /// Writes the text for a device, escaped for JSON and without the quotes.
  func write(
    for device: Recipient, now: Int64, into output: inout [UInt8]
  ) throws(ComposeError) {
    switch variant(for: device) {
    case .fixed(let escaped, _): output += escaped
    case .liquid(let template):
      let start = output.count
      try render(template, for: device, now: now, into: &output)
      guard output[start...].contains(where: JSONText.isEscaped) else { return }
      let plain = Array(output[start...])
      output.removeSubrange(start...)
      JSONText.escape(plain, into: &output)
    }
  }

  /// Returns the text for a device.
  func text(for device: Recipient, now: Int64) throws(ComposeError) -> String {
    switch variant(for: device) {
    case .fixed(_, let text): return text
    case .liquid(let template):
      var bytes: [UInt8] = []
      try render(template, for: device, now: now, into: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private func render(
    _ template: Template, for device: Recipient, now: Int64, into output: inout [UInt8]
  ) throws(ComposeError) {
    do throws(LiquidError) {
      try template.render(device, now: now, into: &output)
    } catch {
      throw ComposeError(
        error.code == .value ? .value : .template, "\(path): \(error)", at: path)
    }
  }

  /// Whether the text reads values of devices or of an event.
  var readsValues: Bool {
    variants.values.contains { variant in
      if case .liquid(let template) = variant { !template.references.isEmpty } else { false }
    }
  }

  /// The name of the text for a device; `nil` if there is one text for every locale.
  func locale(for device: Recipient) -> String? {
    guard variants.count > 1 else { return nil }
    return best(for: device) ?? TextLocale.fallback
  }

  /// The locale whose text fits the device best; `nil` if the device gets the default.
  private func best(for device: Recipient) -> String? {
    guard variants.count > 1, let locale = device.locale else { return nil }
    return TextLocale.best(for: locale, where: { variants[$0] != nil })
  }

  /// Returns the variant of the device's locale, or of the best match for it.
  private func variant(for device: Recipient) -> Variant {
    variants[best(for: device)] ?? variants[nil] ?? .fixed(escaped: [], "")
  }

  private static func variant(_ field: BodyValue) throws(ComposeError) -> Variant {
    let text: String
    do throws(RequestError) { text = try field.string() } catch { throw ComposeError(error) }
    let template: Template
    do throws(LiquidError) { template = try Template(text) } catch {
      throw ComposeError(.template, "\(field.path): \(error)", at: field.path)
    }
    guard let constant = template.constant else { return .liquid(template) }
    var escaped: [UInt8] = []
    JSONText.escape(constant, into: &escaped)
    return .fixed(escaped: escaped, String(decoding: constant, as: UTF8.self))
  }
}
