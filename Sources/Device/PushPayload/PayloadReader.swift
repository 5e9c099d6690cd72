/// A value of a payload and the path at which it was found.
package struct PayloadValue {
  package var json: JSONValue
  var steps: [PayloadPath.Step] = []
  /// The key of the member that `{}` or `#` matched; empty if the path has neither.
  var name = ""

  package var path: PayloadPath { PayloadPath(steps: steps) }

  /// Creates the value at which paths begin, such as the whole payload.
  package init(json: JSONValue) { self.json = json }

  init(json: JSONValue, steps: [PayloadPath.Step], name: String) {
    self.json = json
    self.steps = steps
    self.name = name
  }

  /// One of the parts that a value is divided into.
  package func part(_ index: Int, _ json: JSONValue) -> PayloadValue {
    child(at: .index(index), json)
  }

  /// The value that one step leads to from this value.
  func child(
    at step: PayloadPath.Step, _ json: JSONValue, name: String? = nil
  ) -> PayloadValue {
    PayloadValue(json: json, steps: steps + [step], name: name ?? self.name)
  }
}

/// The two values at which paths begin.
package struct Scope {
  /// The start of paths that begin with `$.`: the whole payload, or a root of the dialect.
  package var top: PayloadValue
  /// The start of all other paths: an item of a list, or ``top``.
  package var item: PayloadValue

  package init(top: PayloadValue, item: PayloadValue? = nil) {
    self.top = top
    self.item = item ?? top
  }
}

/// A reader that looks values up by their paths and reports those of a wrong type.
///
/// Its work is bounded by the length of the payload, whatever the payload holds.
package struct PayloadReader {
  /// The most findings that are kept; further ones are dropped.
  package static let maximumFindings = 50

  package private(set) var findings: [PayloadFinding] = []

  package init() {}

  /// Adds a finding about a value, once.
  package mutating func report(
    _ value: PayloadValue, _ message: String, code: PayloadFinding.Code = .wrongType
  ) {
    report(path: value.path, message, code: code)
  }

  /// Adds a finding about the value at a path, which may be absent, once.
  package mutating func report(path: PayloadPath, _ message: String, code: PayloadFinding.Code) {
    let finding = PayloadFinding(code: code, path: path.description, message: message)
    guard findings.count < Self.maximumFindings, !findings.contains(finding) else { return }
    findings.append(finding)
  }

  /// Adds a finding about a value of a wrong type.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - expected: The value that the key takes: "an object".
  package mutating func report(_ value: PayloadValue, expected: String) {
    report(value, "is \(value.json.typeName); it takes \(expected)")
  }

  /// The values at a path, at most `limit`.
  ///
  /// A value that a further step cannot enter, because its type is wrong, is reported.
  package mutating func values(
    at path: PayloadPath, in scope: Scope, limit: Int
  ) -> [PayloadValue] {
    var found: [PayloadValue] = []
    let start = path.isFromTop ? scope.top : scope.item
    // Most keys that are looked for are absent.
    if case .key(let key)? = path.steps.first, case .object(let members) = start.json,
      members[key] == nil
    {
      return []
    }
    collect(path.steps[...], from: start, into: &found, limit: limit)
    return found
  }

  private mutating func collect(
    _ steps: ArraySlice<PayloadPath.Step>, from value: PayloadValue,
    into found: inout [PayloadValue], limit: Int
  ) {
    guard found.count < limit, !value.json.isNull else { return }
    guard let step = steps.first else { return found.append(value) }
    let rest = steps.dropFirst()
    switch step {
    case .key(let key):
      guard let member = members(of: value)?[key] else { return }
      collect(rest, from: value.child(at: step, member), into: &found, limit: limit)
    case .members:
      for (key, member) in (members(of: value) ?? [:]).sorted(by: { $0.key < $1.key }) {
        let child = value.child(at: .key(key), member, name: key)
        collect(rest, from: child, into: &found, limit: limit)
      }
    case .numbered(let prefix):
      guard let members = members(of: value) else { return }
      var number = 1
      while found.count < limit, let member = members["\(prefix)\(number)"], !member.isNull {
        let key = "\(prefix)\(number)"
        let child = value.child(at: .key(key), member, name: key)
        collect(rest, from: child, into: &found, limit: limit)
        number += 1
      }
    case .index(let index):
      guard let array = value.json.array else { return report(value, expected: "an array") }
      guard array.indices.contains(index) else { return }
      collect(rest, from: value.child(at: step, array[index]), into: &found, limit: limit)
    case .elements:
      guard let array = value.json.array else {
        return collect(rest, from: value, into: &found, limit: limit)
      }
      for (index, element) in array.enumerated() {
        let child = value.child(at: .index(index), element)
        collect(rest, from: child, into: &found, limit: limit)
      }
    case .document:
      guard let text = value.json.string else {
        return collect(rest, from: value, into: &found, limit: limit)
      }
      guard !text.isEmpty else { return }
      guard let document = value.json.document else {
        return report(value, "must be a string that holds a JSON document")
      }
      collect(rest, from: value.child(at: step, document), into: &found, limit: limit)
    case .anyShape:
      let canEnter =
        switch rest.first {
        case .key, .members, .numbered: value.json.object != nil
        case .index: value.json.array != nil
        default: true
        }
      if canEnter { collect(rest, from: value, into: &found, limit: limit) }
    }
  }

  private mutating func members(of value: PayloadValue) -> [String: JSONValue]? {
    if value.json.object == nil { report(value, expected: "an object") }
    return value.json.object
  }
}

extension PayloadReader {
  /// Reads the first readable value at any of the paths; values that cannot be read are reported.
  ///
  /// - Parameters:
  ///   - paths: The paths to look at, the preferred first.
  ///   - scope: The values at which the paths begin.
  ///   - expected: The value that the key takes, for the report: "a string".
  ///   - read: Makes the result; `nil` if the JSON has a wrong type.
  /// - Returns: The result with the value that it was read from.
  package mutating func first<Result>(
    at paths: [PayloadPath], in scope: Scope, expected: String, read: (JSONValue) -> Result?
  ) -> (result: Result, value: PayloadValue)? {
    for path in paths {
      for value in values(at: path, in: scope, limit: Dialect.maximumMedia)
      where !value.isEmptyText {
        if let result = read(value.json) { return (result, value) }
        if path.steps.last != .anyShape { report(value, expected: expected) }
      }
    }
    return nil
  }

  mutating func text(
    at paths: [PayloadPath], in scope: Scope
  ) -> (result: String, value: PayloadValue)? {
    first(at: paths, in: scope, expected: "a string", read: \.string)
  }

  mutating func text(at path: PayloadPath?, in scope: Scope) -> String? {
    path.flatMap { text(at: [$0], in: scope)?.result }
  }

  /// A Boolean, which some vendors write as 0 or 1.
  mutating func flag(at path: PayloadPath?, in scope: Scope) -> Bool? {
    guard let path else { return nil }
    return first(at: [path], in: scope, expected: "true or false") { json in
      switch json.integer {
      case 0: false
      case 1: true
      default: json.bool
      }
    }?.result
  }

  /// An identifier, which some vendors write as a number.
  package mutating func identifier(at paths: [PayloadPath], in scope: Scope) -> String? {
    first(at: paths, in: scope, expected: "a string or a whole number") { json in
      json.string ?? json.integer.map { String($0) }
    }?.result
  }
}

extension PayloadValue {
  /// Whether the value is a string without anything but white space.
  fileprivate var isEmptyText: Bool {
    guard let text = json.string else { return false }
    // Most texts begin with an ASCII letter, so Unicode's properties need not be looked up.
    if let first = text.utf8.first, first > 0x20, first < 0x7F { return false }
    return text.allSatisfy(\.isWhitespace)
  }
}
