import Liquid
import PushPayload
import PushStore

/// A text of the payload that may differ from device to device.
struct DeviceText: Sendable {
  private enum Form: Sendable {
    case fixed(escaped: [UInt8], String)
    case liquid(Template)
  }

  /// Keys are locales as ``normalized(_:)`` has them; `nil` is everyone else's.
  private let forms: [String?: Form]
  private let path: String

  /// Takes a text with Liquid, or an object of them by locale with a `default`.
  init(_ field: BodyValue) throws(ComposeError) {
    path = field.path
    guard field.value.object != nil else {
      forms = [nil: try Self.form(field)]
      return
    }
    var forms: [String?: Form] = [:]
    for name in field.value.object?.keys.sorted() ?? [] {
      guard let text = field[name] else { continue }
      guard name == "default" || Self.isLocale(name) else {
        throw ComposeError(
          .refused, "\(text.path) is no locale such as en or pt-BR, and not 'default'",
          at: text.path)
      }
      forms[name == "default" ? nil : Self.normalized(name)] = try Self.form(text)
    }
    guard forms[nil] != nil else { throw ComposeError(.missing(field.path(to: "default"))) }
    self.forms = forms
  }

  /// What every device gets, as JSON escapes it.
  var shared: [UInt8]? {
    guard forms.count == 1, case .fixed(let escaped, _)? = forms[nil] else { return nil }
    return escaped
  }

  /// Writes the text for a device as JSON escapes it, without the quotes.
  func write(
    for device: Recipient, now: Int64, into output: inout [UInt8]
  ) throws(ComposeError) {
    switch form(for: device) {
    case .fixed(let escaped, _): output += escaped
    case .liquid(let template):
      let start = output.count
      try render(template, device, now, into: &output)
      guard output[start...].contains(where: JSONText.isEscaped) else { return }
      let plain = Array(output[start...])
      output.removeSubrange(start...)
      JSONText.escape(plain, into: &output)
    }
  }

  /// The text for a device.
  func text(for device: Recipient, now: Int64) throws(ComposeError) -> String {
    switch form(for: device) {
    case .fixed(_, let text): return text
    case .liquid(let template):
      var bytes: [UInt8] = []
      try render(template, device, now, into: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private func render(
    _ template: Template, _ device: Recipient, _ now: Int64, into output: inout [UInt8]
  ) throws(ComposeError) {
    do throws(LiquidError) {
      try template.render(device, now: now, into: &output)
    } catch {
      throw ComposeError(.template, "\(path): \(error)", at: path)
    }
  }

  /// The one of the device's locale, then of fewer of its parts: `zh-hant-tw`, `zh-hant`, `zh`.
  private func form(for device: Recipient) -> Form {
    if forms.count > 1, let locale = device.locale {
      var name = Self.normalized(locale)[...]
      while !name.isEmpty {
        if let form = forms[String(name)] { return form }
        name = name.lastIndex(of: "-").map { name[..<$0] } ?? ""
      }
    }
    return forms[nil] ?? .fixed(escaped: [], "")
  }

  private static func form(_ field: BodyValue) throws(ComposeError) -> Form {
    let text: String
    do throws(APIError) { text = try field.string() } catch { throw ComposeError(error) }
    let template: Template
    do throws(LiquidError) { template = try Template(text) } catch {
      throw ComposeError(.template, "\(field.path): \(error)", at: field.path)
    }
    guard let constant = template.constant else { return .liquid(template) }
    var escaped: [UInt8] = []
    JSONText.escape(constant, into: &escaped)
    return .fixed(escaped: escaped, String(decoding: constant, as: UTF8.self))
  }

  /// Callers and devices write `en_US` and `en-us` alike.
  private static func normalized(_ locale: String) -> String {
    String(locale.lowercased().map { $0 == "_" ? "-" : $0 })
  }

  /// A language of two or three letters and parts of up to eight (RFC 5646, section 2.1).
  private static func isLocale(_ name: String) -> Bool {
    let parts = normalized(name).split(separator: "-", omittingEmptySubsequences: false)
    guard let language = parts.first, (2...3).contains(language.utf8.count),
      language.utf8.allSatisfy({ (0x61...0x7a).contains($0) })
    else { return false }
    return parts.dropFirst().allSatisfy { part in
      (1...8).contains(part.utf8.count)
        && part.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) }
    }
  }
}

/// The inside of a JSON string (RFC 8259, section 7).
enum JSONText {
  static func isEscaped(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x22 || byte == 0x5c }

  static func escape(_ text: some Sequence<UInt8>, into output: inout [UInt8]) {
    for byte in text {
      guard isEscaped(byte) else {
        output.append(byte)
        continue
      }
      switch byte {
      case 0x08: output += #"\b"#.utf8
      case 0x09: output += #"\t"#.utf8
      case 0x0a: output += #"\n"#.utf8
      case 0x0c: output += #"\f"#.utf8
      case 0x0d: output += #"\r"#.utf8
      case 0x22, 0x5c: output += [0x5c, byte]
      default: output += #"\u00"#.utf8 + [digit(byte >> 4), digit(byte & 15)]
      }
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
