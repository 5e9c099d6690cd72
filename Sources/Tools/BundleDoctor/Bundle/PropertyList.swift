package import Foundation
import Synchronization

/// The value of an XML or binary property list.
package indirect enum PropertyList: Hashable, Sendable {
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  case date(Date)
  case data(Data)
  case array([PropertyList])
  case dictionary([String: PropertyList])

  /// The most levels that are read; Info.plist files have five.
  package static let maximumDepth = 64
  /// The most values that are read, because a binary list may refer to one value many times.
  package static let maximumValues = 20_000
  package static let maximumBytes = 8 << 20

  package subscript(key: String) -> PropertyList? { dictionary?[key] }

  package var string: String? { if case .string(let text) = self { text } else { nil } }
  package var bool: Bool? { if case .bool(let truth) = self { truth } else { nil } }
  package var date: Date? { if case .date(let date) = self { date } else { nil } }
  package var array: [PropertyList]? { if case .array(let values) = self { values } else { nil } }
  package var dictionary: [String: PropertyList]? {
    if case .dictionary(let members) = self { members } else { nil }
  }
  package var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }
  /// The strings of an array; `nil` if it has other elements.
  package var strings: [String]? {
    guard let array else { return nil }
    let strings = array.compactMap(\.string)
    return strings.count == array.count ? strings : nil
  }

  /// The name of the type with its article, as in Xcode's editor.
  package var typeName: String {
    switch self {
    case .bool: "a Boolean"
    case .integer, .real: "a number"
    case .string: "a string"
    case .date: "a date"
    case .data: "data"
    case .array: "an array"
    case .dictionary: "a dictionary"
    }
  }
}

extension PropertyList {
  /// Reads a property list whose top level is a dictionary; `name` is its name in an error, such as
  /// "the Info.plist".
  package static func dictionary(
    of data: Data, name: String
  ) throws(MachOError) -> [String: PropertyList] {
    guard data.count <= maximumBytes else {
      throw MachOError("\(name) has \(data.count) bytes; at most \(maximumBytes) are read")
    }
    do {
      if let members = try PropertyList(parsing: data).dictionary { return members }
    } catch let error as MachOError {
      throw MachOError("\(name) is not a property list: \(error)")
    } catch { throw MachOError("\(name) is not a property list, or is nested too deep") }
    throw MachOError("\(name) is a property list, but not a dictionary")
  }

  private init(parsing data: Data) throws {
    guard !BinaryPropertyList.isBinary(data) else {
      var binary = try BinaryPropertyList(data)
      self = try binary.read()
      return
    }
    // The decoder recurses into nested XML to any depth, but the serialization refuses 512 levels.
    _ = try PropertyListSerialization.propertyList(from: data, format: nil)
    let decoder = PropertyListDecoder()
    if let key = Budget.key { decoder.userInfo[key] = Budget() }
    self = try decoder.decode(PropertyList.self, from: data)
  }
}

extension PropertyList: Decodable {
  /// The number of values that may still be decoded.
  private final class Budget: Sendable {
    static let key = CodingUserInfoKey(rawValue: "budget")
    private let left = Mutex(maximumValues)

    func spend() -> Bool {
      left.withLock { left in
        left -= 1
        return left >= 0
      }
    }
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard decoder.codingPath.count < Self.maximumDepth,
      (Budget.key.flatMap { decoder.userInfo[$0] as? Budget })?.spend() ?? true
    else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "too many values")
    }
    // The types with many values come first, because each wrong guess costs the decoder an error.
    if (try? decoder.unkeyedContainer()) != nil {
      self = .array(try container.decode([PropertyList].self))
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .real(value)
    } else if let value = try? container.decode(Date.self) {
      self = .date(value)
    } else if let value = try? container.decode(Data.self) {
      self = .data(value)
    } else {
      self = .dictionary(try container.decode([String: PropertyList].self))
    }
  }
}
