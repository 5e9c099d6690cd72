extension Filter {
  /// Filters that sort an array or choose its elements by a member.
  static let search: [String: Filter] = [
    "sort": Filter(0...1) { value, arguments, budget throws(RenderingError) in
      let elements = try elements(of: value, &budget)
      guard let keys = try keys(of: elements, arguments.first, &budget) else { return .null }
      return .array(try sorted(elements, by: keys, &budget))
    },
    "sort_natural": Filter(0...1) { value, arguments, budget throws(RenderingError) in
      let elements = try elements(of: value, &budget)
      guard var keys = try keys(of: elements, arguments.first, &budget) else { return .null }
      for (index, key) in keys.enumerated() where key.unlessNull != nil {
        let text = try budget.text(of: key)
        try budget.spend(bytes: text.utf8.count)
        keys[index] = .string(text.lowercased())
      }
      return .array(try sorted(elements, by: keys, &budget))
    },
    "where": choosing { elements, matches throws(Stop) in
      var chosen: [LiquidValue] = []
      for element in elements where try matches(element) { chosen.append(element) }
      return .array(chosen)
    },
    "reject": choosing { elements, matches throws(Stop) in
      var chosen: [LiquidValue] = []
      for element in elements where try !matches(element) { chosen.append(element) }
      return .array(chosen)
    },
    "find": choosing { elements, matches throws(Stop) in
      for element in elements where try matches(element) { return element }
      return .null
    },
    "find_index": choosing { elements, matches throws(Stop) in
      for (index, element) in elements.enumerated() where try matches(element) {
        return .integer(Int64(index))
      }
      return .null
    },
    "has": choosing { elements, matches throws(Stop) in
      for element in elements where try matches(element) { return .bool(true) }
      return .bool(false)
    },
  ]

  /// Whether an element is chosen; throws if it has no members or its member cannot be read.
  private typealias Match = (LiquidValue) throws(Stop) -> Bool

  /// A reason for which a search ends before its last element.
  private enum Stop: Error {
    /// The element has no members; the result of the filter is `nil`.
    case noMembers
    case error(RenderingError)
  }

  /// Makes a filter that checks whether each element's member equals the second argument, or is true without one.
  private static func choosing(
    _ body: @escaping @Sendable ([LiquidValue], Match) throws(Stop) -> LiquidValue
  ) -> Filter {
    Filter(1...2) { value, arguments, budget throws(RenderingError) in
      let elements = try elements(of: value, &budget)
      let wanted = arguments.count > 1 ? arguments[1].unlessNull : nil
      do throws(Stop) {
        return try body(elements) { element throws(Stop) in
          let member: LiquidValue?
          do throws(RenderingError) {
            member = try property(arguments[0], of: element, &budget)
          } catch {
            throw .error(error)
          }
          guard let member else { throw .noMembers }
          return wanted.map(member.isEqual) ?? member.isTrue
        }
      } catch {
        guard case .error(let error) = error else { return .null }
        throw error
      }
    }
  }

  /// Sorts by the keys.
  ///
  /// The sort is stable, and `nil` comes last.
  private static func sorted(
    _ elements: [LiquidValue], by keys: [LiquidValue], _ budget: inout Budget
  ) throws(RenderingError) -> [LiquidValue] {
    try budget.spend(elements.count * 4)
    let given = keys.compactMap(\.unlessNull)
    guard given.count < 2 || given.allSatisfy(\.isString) || given.allSatisfy({ $0.double != nil })
    else {
      throw RenderingError(
        .value, "values of these types have no order, so that 'sort' cannot sort them")
    }
    return zip(elements, keys).enumerated().sorted { left, right in
      let (first, second) = (left.element.1, right.element.1)
      if first.precedes(second) { return true }
      if second.precedes(first) { return false }
      return left.offset < right.offset
    }.map(\.element.0)
  }
}

extension LiquidValue {
  fileprivate var isString: Bool { if case .string = self { true } else { false } }

  /// Whether the value comes before another of the same type, or before `nil`.
  fileprivate func precedes(_ other: LiquidValue) -> Bool {
    switch (self, other) {
    case (.null, _): false
    case (_, .null): true
    default: (try? isLess(than: other)) ?? false
    }
  }
}
