import PushPayload
import PushStore

/// A JSON document in which some places differ from device to device.
indirect enum PayloadShape: Sendable {
  case fixed(JSONValue)
  case text(DeviceText, Role)
  /// The device's number plus this one.
  case badge(adding: Int64)
  case object([String: PayloadShape])
  case array([PayloadShape])

  /// Which text may be shortened, in that order; `other` never is.
  enum Role: Int, Sendable { case body, subtitle, title, other }

  /// A device's number and so many more, as an icon can show it.
  static func badge(of device: Recipient?, adding increment: Int64) -> Int64 {
    let sum = (device?.badge ?? 0).addingReportingOverflow(increment)
    return sum.overflow ? Int64(Int32.max) : min(max(0, sum.partialValue), Int64(Int32.max))
  }

  /// A caller's value, whose texts may have Liquid in them.
  init(custom field: BodyValue) throws(ComposeError) {
    switch field.value {
    case .string(let text) where text.contains("{{") || text.contains("{%"):
      self = .text(try DeviceText(field), .other)
    case .object(let members):
      var shapes: [String: PayloadShape] = [:]
      for (name, value) in members {
        shapes[name] = try PayloadShape(custom: field.member(name, value))
      }
      self = .object(shapes)
    case .array(let elements):
      var shapes: [PayloadShape] = []
      for (index, value) in elements.enumerated() {
        shapes.append(try PayloadShape(custom: BodyValue(value, at: "\(field.path)[\(index)]")))
      }
      self = .array(shapes)
    default: self = .fixed(field.value)
    }
  }
}

/// The bytes of a ``PayloadShape``: encoded once, with holes for what differs.
struct PayloadPieces: Sendable {
  enum Piece: Sendable {
    case bytes([UInt8])
    case text(DeviceText, PayloadShape.Role)
    case badge(adding: Int64)
  }

  private(set) var pieces: [Piece] = []

  init(_ shape: PayloadShape) {
    var bytes: [UInt8] = []
    add(shape, &bytes)
    flush(&bytes)
  }

  private mutating func add(_ shape: PayloadShape, _ bytes: inout [UInt8]) {
    switch shape {
    case .fixed(let value): bytes += value.serialized()
    case .text(let text, let role):
      bytes.append(UInt8(ascii: "\""))
      flush(&bytes)
      pieces.append(.text(text, role))
      bytes.append(UInt8(ascii: "\""))
    case .badge(let increment):
      flush(&bytes)
      pieces.append(.badge(adding: increment))
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
    if !bytes.isEmpty { pieces.append(.bytes(bytes)) }
    bytes = []
  }

  /// What every device gets, where nothing differs.
  var shared: [UInt8]? {
    var bytes: [UInt8] = []
    for piece in pieces {
      switch piece {
      case .bytes(let piece): bytes += piece
      case .text(let text, _):
        guard let shared = text.shared else { return nil }
        bytes += shared
      case .badge: return nil
      }
    }
    return bytes
  }

  /// The document for a device; `shortened` stands in for texts of these roles.
  func bytes(
    for device: Recipient, now: Int64, shortened: [PayloadShape.Role: [UInt8]] = [:]
  ) throws(ComposeError) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(512)
    for piece in pieces {
      switch piece {
      case .bytes(let bytes): output += bytes
      case .text(let text, let role):
        if let short = shortened[role] {
          output += short
        } else {
          try text.write(for: device, now: now, into: &output)
        }
      case .badge(let increment):
        output += String(PayloadShape.badge(of: device, adding: increment)).utf8
      }
    }
    return output
  }
}
