import PushModel
import PushPayload

/// A ``PayloadTemplate`` whose fixed parts are encoded once, with placeholders for the variable parts.
struct CompiledPayload: Sendable {
  enum Part: Sendable {
    case bytes([UInt8])
    case text(PersonalizedText, PayloadTemplate.Role)
    case badge(adding: Int64)
  }

  private(set) var parts: [Part] = []

  init(_ template: PayloadTemplate) {
    var bytes: [UInt8] = []
    add(template, &bytes)
    flush(&bytes)
  }

  private mutating func add(_ template: PayloadTemplate, _ bytes: inout [UInt8]) {
    switch template {
    case .fixed(let value): bytes += value.serialized()
    case .text(let text, let role):
      bytes.append(UInt8(ascii: "\""))
      flush(&bytes)
      parts.append(.text(text, role))
      bytes.append(UInt8(ascii: "\""))
    case .badge(let increment):
      flush(&bytes)
      parts.append(.badge(adding: increment))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, name) in members.keys.sorted().enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes += JSONValue.string(name).serialized()
        bytes.append(UInt8(ascii: ":"))
        if let member = members[name] { add(member, &bytes) }
      }
      bytes.append(UInt8(ascii: "}"))
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        add(element, &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    }
  }

  private mutating func flush(_ bytes: inout [UInt8]) {
    if !bytes.isEmpty { parts.append(.bytes(bytes)) }
    bytes = []
  }

  /// The payload of every device; `nil` if it differs by device.
  var shared: [UInt8]? {
    var bytes: [UInt8] = []
    for part in parts {
      switch part {
      case .bytes(let fixed): bytes += fixed
      case .text(let text, _):
        guard let shared = text.shared else { return nil }
        bytes += shared
      case .badge: return nil
      }
    }
    return bytes
  }

  /// The locale of a device's texts; `nil` if no text differs by locale.
  func locale(for device: Recipient) -> String? {
    for case .text(let text, _) in parts {
      if let locale = text.locale(for: device) { return locale }
    }
    return nil
  }

  /// Returns the payload for a device.
  ///
  /// `now` is the time that templates render, in seconds since 1970. `shortened` replaces the texts
  /// of these roles. A sample has no text where the template cannot use the values that it lacks.
  func bytes(
    for device: Recipient, now: Int64, shortened: [PayloadTemplate.Role: [UInt8]] = [:],
    isSample: Bool = false
  ) throws(ComposeError) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(512)
    for part in parts {
      switch part {
      case .bytes(let bytes): output += bytes
      case .text(let text, let role):
        if let short = shortened[role] {
          output += short
        } else {
          let start = output.count
          do throws(ComposeError) { try text.write(for: device, now: now, into: &output) } catch {
            guard isSample, error.code == .value, text.readsValues else { throw error }
            output.removeSubrange(start...)
          }
        }
      case .badge(let increment):
        output += String(PayloadTemplate.badge(of: device, adding: increment)).utf8
      }
    }
    return output
  }
}
