package import BundleDoctor
package import Foundation

extension PropertyList: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(arrayLiteral elements: PropertyList...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, PropertyList)...) {
    self = .dictionary(Dictionary(elements) { $1 })
  }

  package func written(as format: PropertyListSerialization.PropertyListFormat) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: foundation, format: format, options: 0)
  }

  /// As Foundation's property lists have it.
  package var foundation: Any {
    switch self {
    case .bool(let value): value
    case .integer(let value): value
    case .real(let value): value
    case .string(let value): value
    case .date(let value): value
    case .data(let value): value
    case .array(let values): values.map(\.foundation)
    case .dictionary(let members): members.mapValues(\.foundation)
    }
  }

  /// The DER of entitlements, which signatures have since iOS 15.
  package var der: [UInt8] { derElement(0x70, [0x02, 1, 1] + derValue) }

  private var derValue: [UInt8] {
    switch self {
    case .bool(let value): derElement(0x01, [value ? 0xff : 0])
    case .integer(let value): derElement(0x02, withUnsafeBytes(of: value.bigEndian, Array.init))
    case .string(let value): derElement(0x0c, Array(value.utf8))
    case .array(let values): derElement(0x30, values.flatMap(\.derValue))
    case .dictionary(let members):
      derElement(
        0xb0,
        members.sorted { $0.key < $1.key }.flatMap { key, value in
          derElement(0x30, derElement(0x0c, Array(key.utf8)) + value.derValue)
        })
    case .real, .date, .data: []
    }
  }

  private func derElement(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    let length: [UInt8] =
      count < 128 ? [UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 0xff)]
    return [tag] + length + content
  }
}
