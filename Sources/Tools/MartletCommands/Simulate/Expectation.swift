import Foundation
import PushPayload

/// The part of a result that `--expect` names.
///
/// An object of the file names the members that count; others may be there too. An array must have
/// as many elements as the result's, each as expected.
struct Expectation: Sendable {
  private let expected: JSONValue

  init(_ expected: JSONValue) { self.expected = expected }

  /// - Throws: ``CommandFailure`` for a file that cannot be read or is not an object of JSON.
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

  /// A value that is not as expected.
  struct Difference: Hashable, Sendable {
    /// `$.content.title`.
    var path: String
    var expected: JSONValue
    /// `nil` where the result has nothing at the path.
    var found: JSONValue?

    /// `$.content.title: expected "A", found "B"`.
    var text: String {
      "\(path): expected \(expected.line), found \(found?.line ?? "nothing")"
    }

    var json: JSONValue {
      ["path": .string(path), "expected": expected, "found": found ?? .null]
    }
  }

  /// What of a result is not as expected, in the order of the paths.
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
    // 1 and 1.0 are the same number; two integers that differ are not, however large.
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
