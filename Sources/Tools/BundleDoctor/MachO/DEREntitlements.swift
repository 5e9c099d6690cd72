package import Foundation

/// A reader of entitlements in DER, which signatures contain since iOS 15.
///
/// They are a version and a dictionary: `[APPLICATION 16] { INTEGER 1, [16] { SEQUENCE { key, value
/// } … } }`. Values are BOOLEAN, INTEGER, UTF8String, SEQUENCE for arrays and `[16]` for
/// dictionaries.
package enum DEREntitlements {
  package static let maximumDepth = 32

  package static func read(_ data: Data) throws(MachOError) -> [String: PropertyList] {
    var outer = Elements(ByteView(data))
    guard let top = try outer.next(), top.tag == 0x70 else { throw malformed }
    var parts = Elements(top.content)
    guard let version = try parts.next(), version.tag == 0x02, let body = try parts.next(),
      case .dictionary(let values) = try value(body, depth: 0)
    else { throw malformed }
    return values
  }

  private static var malformed: MachOError { MachOError("its entitlements in DER are malformed") }

  private static func value(_ element: Element, depth: Int) throws(MachOError) -> PropertyList {
    guard depth < maximumDepth else {
      throw MachOError("its entitlements in DER are nested deeper than \(maximumDepth)")
    }
    var inner = Elements(element.content)
    switch element.tag {
    case 0x01: return .bool(element.content.bytes.contains { $0 != 0 })
    case 0x02:
      let bytes = element.content.bytes
      guard 1...8 ~= bytes.count, let first = bytes.first else { throw malformed }
      return .integer(bytes.reduce(first >= 0x80 ? -1 : 0) { $0 << 8 | Int64($1) })
    case 0x0c: return .string(String(decoding: element.content.bytes, as: UTF8.self))
    case 0x30:
      var values: [PropertyList] = []
      while let next = try inner.next() { values.append(try value(next, depth: depth + 1)) }
      return .array(values)
    case 0xb0:
      var values: [String: PropertyList] = [:]
      while let pair = try inner.next() {
        var parts = Elements(pair.content)
        guard pair.tag == 0x30, let key = try parts.next(), key.tag == 0x0c,
          let member = try parts.next()
        else { throw malformed }
        let name = String(decoding: key.content.bytes, as: UTF8.self)
        values[name] = try value(member, depth: depth + 1)
      }
      return .dictionary(values)
    default: throw malformed
    }
  }

  private struct Element {
    let tag: UInt8
    let content: ByteView
  }

  /// A sequence of elements, each with its tag, its length and its content.
  private struct Elements {
    private var rest: ByteView

    init(_ bytes: ByteView) { rest = bytes }

    mutating func next() throws(MachOError) -> Element? {
      guard rest.count > 0 else { return nil }
      let tag = try rest.big(UInt8.self, at: 0)
      let first = try rest.big(UInt8.self, at: 1)
      var start = 2
      var length = Int(first)
      if first >= 0x80 {
        let count = Int(first & 0x7f)
        guard 1...4 ~= count else { throw malformed }
        length = 0
        for offset in 0..<count {
          length = length << 8 | Int(try rest.big(UInt8.self, at: 2 + offset))
        }
        start += count
      }
      let element = Element(tag: tag, content: try rest.part(at: start, count: length))
      rest = try rest.part(from: start + length)
      return element
    }
  }
}
