/// One value of a payload and where it stands.
struct PayloadValue {
  var value: JSONValue
  var steps: [PayloadPath.Step] = []
  /// The key of a member that `{}` or `#` found; empty for none.
  var name = ""

  var path: PayloadPath { PayloadPath(steps: steps) }

  func member(_ step: PayloadPath.Step, _ value: JSONValue, name: String? = nil) -> PayloadValue {
    PayloadValue(value: value, steps: steps + [step], name: name ?? self.name)
  }
}

/// Where paths begin: an item of a list, or the top.
struct Scope {
  var top: PayloadValue
  var item: PayloadValue

  init(top: PayloadValue, item: PayloadValue? = nil) {
    self.top = top
    self.item = item ?? top
  }
}

/// Looks values up and notes those of a wrong type; never more work than the payload is long.
struct PayloadReader {
  /// More findings help nobody.
  static let maximumFindings = 50

  private(set) var findings: [PayloadFinding] = []

  mutating func note(
    _ place: PayloadValue, _ message: String, code: PayloadFinding.Code = .wrongType
  ) {
    let finding = PayloadFinding(code: code, path: place.path.description, message: message)
    guard findings.count < Self.maximumFindings, !findings.contains(finding) else { return }
    findings.append(finding)
  }

  /// The values at a path, at most `limit`; a value on the way that cannot be walked into is noted.
  mutating func places(_ path: PayloadPath, in scope: Scope, atMost limit: Int) -> [PayloadValue] {
    var found: [PayloadValue] = []
    walk(path.steps[...], path.isFromTop ? scope.top : scope.item, &found, limit)
    return found
  }

  private mutating func walk(
    _ steps: ArraySlice<PayloadPath.Step>, _ place: PayloadValue, _ found: inout [PayloadValue],
    _ limit: Int
  ) {
    guard found.count < limit, !place.value.isNull else { return }
    guard let step = steps.first else { return found.append(place) }
    let rest = steps.dropFirst()
    switch step {
    case .key(let key):
      guard let value = members(place)?[key] else { return }
      walk(rest, place.member(step, value), &found, limit)
    case .members:
      for (key, value) in (members(place) ?? [:]).sorted(by: { $0.key < $1.key }) {
        walk(rest, place.member(.key(key), value, name: key), &found, limit)
      }
    case .numbered(let prefix):
      guard let members = members(place) else { return }
      var number = 1
      while found.count < limit, let value = members["\(prefix)\(number)"], !value.isNull {
        let key = "\(prefix)\(number)"
        walk(rest, place.member(.key(key), value, name: key), &found, limit)
        number += 1
      }
    case .index(let index):
      guard let array = place.value.array else { return note(place, takes: "an array") }
      guard array.indices.contains(index) else { return }
      walk(rest, place.member(step, array[index]), &found, limit)
    case .elements:
      guard let array = place.value.array else { return walk(rest, place, &found, limit) }
      for (index, value) in array.enumerated() {
        walk(rest, place.member(.index(index), value), &found, limit)
      }
    case .document:
      guard let text = place.value.string else { return walk(rest, place, &found, limit) }
      guard !text.isEmpty else { return }
      guard let value = place.value.document else {
        return note(place, "holds no JSON document that can be read")
      }
      walk(rest, place.member(step, value), &found, limit)
    case .anyShape:
      let isWalkable =
        switch rest.first {
        case .key, .members, .numbered: place.value.object != nil
        case .index: place.value.array != nil
        default: true
        }
      if isWalkable { walk(rest, place, &found, limit) }
    }
  }

  private mutating func members(_ place: PayloadValue) -> [String: JSONValue]? {
    if place.value.object == nil { note(place, takes: "an object") }
    return place.value.object
  }

  mutating func note(_ place: PayloadValue, takes what: String) {
    note(place, "is \(place.value.typeName); it takes \(what)")
  }
}

extension PayloadReader {
  /// The first value at any of the paths that `read` accepts; what it refuses is noted.
  mutating func first<Value>(
    _ paths: [PayloadPath], in scope: Scope, _ what: String, _ read: (JSONValue) -> Value?
  ) -> (value: Value, place: PayloadValue)? {
    for path in paths {
      for place in places(path, in: scope, atMost: Dialect.maximumMedia) where !place.isEmptyText {
        if let value = read(place.value) { return (value, place) }
        if path.steps.last != .anyShape { note(place, takes: what) }
      }
    }
    return nil
  }

  mutating func text(_ paths: [PayloadPath], in scope: Scope) -> (
    value: String, place: PayloadValue
  )? {
    first(paths, in: scope, "a string", \.string)
  }

  mutating func text(_ path: PayloadPath?, in scope: Scope) -> String? {
    path.flatMap { text([$0], in: scope)?.value }
  }

  mutating func flag(_ path: PayloadPath?, in scope: Scope) -> Bool? {
    guard let path else { return nil }
    return first([path], in: scope, "true or false") { value in
      switch value.integer {
      case 0: false
      case 1: true
      default: value.bool
      }
    }?.value
  }

  /// A name, which some vendors write as a number.
  mutating func name(_ paths: [PayloadPath], in scope: Scope) -> String? {
    first(paths, in: scope, "a string or a whole number") { value in
      value.string ?? value.integer.map { String($0) }
    }?.value
  }
}

extension PayloadValue {
  fileprivate var isEmptyText: Bool { value.string?.isEmpty == true }
}
