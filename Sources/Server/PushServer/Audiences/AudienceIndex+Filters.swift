package import PushModel
import PushPayload
package import _Bitmaps

extension AudienceIndex {
  /// Returns the devices that pass every filter.
  ///
  /// Without `filters`, all devices pass. Relative dates are relative to `now`. The devices are
  /// chosen from `devices`.
  package func devices(
    passing filters: [Filter], at now: Timestamp, among devices: Bitmap
  ) -> Bitmap {
    var passing = devices
    // The cheapest filters run first, so that the expensive ones check fewer devices.
    for filter in filters.sorted(by: { $0.cost < $1.cost }) {
      if passing.isEmpty { break }
      var found = matching(filter, at: now, among: passing)
      if filter.isNegated {
        passing.subtract(found)
      } else {
        // `found` is not shared, so this intersects in place, without a copy.
        found.formIntersection(passing)
        passing = found
      }
    }
    return passing
  }

  /// Returns the devices that meet one of a filter's criteria; some may not be in `devices`.
  private func matching(
    _ filter: Filter, at now: Timestamp, among devices: Bitmap
  ) -> Bitmap {
    var found: Bitmap
    switch filter.field.kind {
    case .string: found = texts(filter, among: devices)
    case .version: found = versions(filter, among: devices)
    case .place:
      found = coordinates.devices(
        within: filter.criteria.compactMap { criterion in
          if case .within(let circle) = criterion { circle } else { nil }
        })
    case .integer, .float, .boolean, .date: found = numbers(filter, at: now, among: devices)
    }
    if filter.criteria.contains(.exists) { found.formUnion(present(filter.field)) }
    return found
  }

  /// The devices that have a value of a field.
  private func present(_ field: Filter.Field) -> Bitmap {
    switch field {
    case .builtIn(.deviceID): known
    case .builtIn(.userID): userIDs.present
    case .builtIn(.userEmail): userEmails.present
    case .builtIn(.location): coordinates.present
    default:
      switch field.kind {
      case .string: texts[field.indexed]?.present ?? Bitmap()
      case .version: versions[field]?.present ?? Bitmap()
      case .integer, .float, .boolean, .date, .place: numbers[field]?.present ?? Bitmap()
      }
    }
  }

  private func texts(_ filter: Filter, among devices: Bitmap) -> Bitmap {
    let texts = filter.scalars.compactMap(\.string)
    switch filter.field {
    case .builtIn(.deviceID): return deviceIDs.devices(with: Set(texts.map(hash)))
    case .builtIn(.userID): return userIDs.devices(with: Set(texts.map(hash)))
    case .builtIn(.userEmail): return userEmails.devices(with: Set(texts.map(hash)))
    default:
      let field = filter.field.indexed
      let wanted = texts.map { hash(field.folded($0)) }
      return self.texts[field]?.devices(with: wanted, among: devices) ?? Bitmap()
    }
  }

  private func versions(_ filter: Filter, among devices: Bitmap) -> Bitmap {
    guard let column = versions[filter.field] else { return Bitmap() }
    let equal = Set(filter.scalars.compactMap { $0.string.map { Version($0) } })
    let ranges = filter.ranges.map { bounds in
      bounds.map { (comparison: $0.comparison, version: $0.value.string.map { Version($0) }) }
    }
    return column.devices(among: devices) { version in
      equal.contains(version)
        || ranges.contains { bounds in
          bounds.allSatisfy { bound in
            guard let limit = bound.version else { return false }
            switch bound.comparison {
            case .gt: return version > limit
            case .gte: return version >= limit
            case .lt: return version < limit
            case .lte: return version <= limit
            }
          }
        }
    }
  }

  private func numbers(_ filter: Filter, at now: Timestamp, among devices: Bitmap) -> Bitmap {
    let kind = filter.field.kind
    let keys = filter.scalars.compactMap { kind.key(of: $0, at: now) }
    let ranges = filter.ranges.compactMap { kind.keys(in: $0, at: now) }
    let column = numbers[filter.field] ?? NumberColumn()
    var found = column.devices(with: keys, among: devices)
    for range in ranges { found.formUnion(column.devices(in: range)) }
    if case .event = filter.field {
      // A device without the event has a count of 0.
      let never = Int64(0).ordered
      if keys.contains(never) || ranges.contains(where: { $0.contains(never) }) {
        found.formUnion(devices.subtracting(column.present))
      }
    }
    return found
  }
}

extension Filter {
  /// The relative cost of a filter for each device: a lookup in a table, an intersection for each
  /// bit of a term, for each of up to 64 bits of a number, or arithmetic.
  fileprivate var cost: Int {
    switch field {
    case .builtIn(.deviceID), .builtIn(.userID), .builtIn(.userEmail): 0
    default:
      switch field.kind {
      case .string, .boolean: 1
      case .version, .integer, .float, .date: 2
      case .place: 3
      }
    }
  }

  fileprivate var scalars: [JSONValue] {
    criteria.compactMap { if case .equals(let value) = $0 { value } else { nil } }
  }

  fileprivate var ranges: [[Bound]] {
    criteria.compactMap { if case .range(let bounds) = $0 { bounds } else { nil } }
  }
}

extension Filter.Kind {
  /// Returns the range of keys that meet every bound; `nil` if no key does.
  fileprivate func keys(in bounds: [Filter.Bound], at now: Timestamp) -> ClosedRange<UInt64>? {
    var (low, high) = (UInt64.min, UInt64.max)
    for bound in bounds {
      guard let key = key(of: bound.value, at: now) else { return nil }
      switch bound.comparison {
      case .gt:
        guard key < .max else { return nil }
        low = max(low, key + 1)
      case .gte: low = max(low, key)
      case .lt:
        guard key > 0 else { return nil }
        high = min(high, key - 1)
      case .lte: high = min(high, key)
      }
    }
    return low <= high ? low...high : nil
  }
}
