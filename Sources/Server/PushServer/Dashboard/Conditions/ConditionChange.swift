/// A change of conditions by a button of the form.
enum ConditionChange: Sendable {
  /// A row more in a list, such as `all` or `any0`.
  case addRow(list: String)
  case removeRow(list: String, index: Int)
  case addGroup(AudienceConditions.Part, ConditionGroup.Kind)
  case removeGroup(AudienceConditions.Part, index: Int)
  /// Shows the comparisons and values of what is chosen.
  case show

  /// Parses the name of a button's action; `nil` if it is not one of the conditions.
  init?(action: String) {
    let parts = action.split(separator: "_").map(String.init)
    guard parts.first == AudienceConditions.prefix, parts.count > 1 else { return nil }
    switch (parts[1], parts.count) {
    case ("show", 2): self = .show
    case ("add", 3): self = .addRow(list: parts[2])
    case ("remove", 3):
      guard let group = Self.group(parts[2]) else { return nil }
      self = .removeGroup(group.part, index: group.index)
    case ("remove", 4):
      guard let index = Int(parts[3]) else { return nil }
      self = .removeRow(list: parts[2], index: index)
    case ("group", 4):
      guard let part = AudienceConditions.Part(rawValue: parts[2]),
        let kind = ConditionGroup.Kind(rawValue: parts[3])
      else { return nil }
      self = .addGroup(part, kind)
    default: return nil
    }
  }

  /// Parses the key of a group, such as `any0`.
  fileprivate static func group(
    _ key: String
  ) -> (part: AudienceConditions.Part, index: Int)? {
    guard let match = key.wholeMatch(of: /(any|except)(\d{1,3})/),
      let part = AudienceConditions.Part(rawValue: String(match.1)), let index = Int(match.2)
    else { return nil }
    return (part, index)
  }
}

extension AudienceConditions {
  /// Makes a change, and returns the identifier of the element that gets the focus.
  mutating func apply(_ change: ConditionChange) -> String? {
    switch change {
    case .show: return nil
    case .addRow(let list):
      guard var rows = rows(of: list), rows.count < Target.filterLimit else { return nil }
      rows.append(ConditionRow())
      set(rows, of: list)
      return Self.name(list, "\(rows.count - 1)", "field")
    case .removeRow(let list, let index):
      guard var rows = rows(of: list), rows.indices.contains(index) else { return nil }
      rows.remove(at: index)
      set(rows, of: list)
      return Self.name("add", list)
    case .addGroup(let part, let kind):
      guard self[part].count < TargetParts.limit else { return nil }
      self[part].append(ConditionGroup(kind))
      let key = "\(part)\(self[part].count - 1)"
      return switch kind {
      case .conditions: Self.name(key, "0", "field")
      case .audience: Self.name(key, "audience")
      case .received: Self.name(key, "send")
      }
    case .removeGroup(let part, let index):
      guard self[part].indices.contains(index) else { return nil }
      self[part].remove(at: index)
      return Self.name("group", part.rawValue, ConditionGroup.Kind.conditions.rawValue)
    }
  }

  /// The rows of a list; `nil` if there is no such list.
  private func rows(of list: String) -> [ConditionRow]? {
    guard list != Self.allList else { return rows }
    guard let group = ConditionChange.group(list), self[group.part].indices.contains(group.index),
      case .conditions(let rows) = self[group.part][group.index]
    else { return nil }
    return rows
  }

  private mutating func set(_ rows: [ConditionRow], of list: String) {
    guard list != Self.allList else {
      self.rows = rows
      return
    }
    guard let group = ConditionChange.group(list), self[group.part].indices.contains(group.index),
      case .conditions = self[group.part][group.index]
    else { return }
    self[group.part][group.index] = .conditions(rows)
  }
}
