import Foundation
import PushPayload

/// The expected part of a result, from the file of `--expect`.
///
/// An object in the file names the members that are compared; the result may have others. An array
/// must have as many elements as the result's, and each must match.
struct Expectation: Sendable {
  private let expected: JSONValue

  init(_ expected: JSONValue) { self.expected = expected }

  /// - Throws: ``CommandFailure`` if the file cannot be read or is not a JSON object.
  init(file path: String) throws {
    let data = try InputFile.data(path, role: "which --expect names")
    do {
      expected = try JSONValue(parsing: data)
    } catch {
      throw CommandFailure("\(path), which --expect names, is \(error.message)", cause: error)
    }
    guard expected.object != nil else {
      throw CommandFailure("\(path), which --expect names, must be an object of JSON")
    }
  }

  /// A value that differs from the expected one.
  struct Difference: Hashable, Sendable {
    /// The JSON path, such as `$.content.title`.
    var path: String
    var expected: JSONValue
    /// The value in the result; `nil` if the result has no value at the path.
    var found: JSONValue?

    /// A line such as `$.content.title: expected "A", found "B"`.
    var text: String {
      "\(path): expected \(expected.line), found \(found?.line ?? "nothing")"
    }

    var json: JSONValue {
      ["path": .string(path), "expected": expected, "found": found ?? .null]
    }
  }

  /// The differences between a result and the expectation, sorted by path.
  func differences(from found: JSONValue) -> [Difference] {
    Self.differences(expected, found, at: "$")
  }

  private static func differences(
    _ expected: JSONValue, _ found: JSONValue?, at path: String
  ) -> [Difference] {
    if let members = expected.object, let others = found?.object {
      return members.sorted { $0.key < $1.key }.flatMap { key, value in
        differences(value, others[key], at: "\(path).\(key)")
      }
    }
    if let items = expected.array, let others = found?.array, items.count == others.count {
      return items.indices.flatMap { index in
        differences(items[index], others[index], at: "\(path)[\(index)]")
      }
    }
    // 1 and 1.0 are the same number. Two different integers are not, however large they are.
    let areIntegers = expected.isInteger && found?.isInteger == true
    if !areIntegers, let number = expected.number, number == found?.number { return [] }
    return expected == found ? [] : [Difference(path: path, expected: expected, found: found)]
  }
}

extension JSONValue {
  fileprivate var isInteger: Bool {
    if case .integer = self { true } else { false }
  }
}
