import PushModel
import PushPayload
import _Bitmaps

/// The first condition of an audience that keeps a device out of it.
enum AudienceMiss: Hashable, Sendable {
  /// The server's index has no values of the device.
  case notIndexed
  /// A filter of those that must all match.
  case filter(Filter)
  /// None of the parts of ``Audience/any`` has the device.
  case noPart
  /// A part whose devices are left out has the device.
  case excluded(Audience.Part)

  /// The condition in words that follow "the device is not in the audience".
  var words: String {
    switch self {
    case .notIndexed: "the server has no values of it"
    case .filter(let filter): "the filter \(filter.apiWords) does not match it"
    case .noPart: "it is in none of the parts of any"
    case .excluded(.filters(let filters)):
      "except leaves it out, by \(filters.map(\.apiWords).joined(separator: " and "))"
    case .excluded(.audience(let id)): "except leaves it out, by the audience \(id)"
    case .excluded(.received(let send, let opened)):
      switch opened {
      case nil: "except leaves it out, because it got \(send)"
      case true?: "except leaves it out, because it got and opened \(send)"
      case false?: "except leaves it out, because it got \(send) and did not open it"
      }
    }
  }
}

extension ShardedIndex {
  /// The first condition that keeps a device out of an audience, which `query` is made from; `nil` if none does.
  func miss(
    of device: UInt32, _ query: DeviceQuery, _ audience: Audience, at now: Timestamp
  ) -> AudienceMiss? {
    let place = Self.shard(of: device)
    guard shards.indices.contains(place), shards[place].index.known.contains(device) else {
      return .notIndexed
    }
    let index = shards[place].index
    let own = Bitmap([device])
    for filter in query.filters
    where index.devices(passing: [filter], at: now, among: own).isEmpty {
      return .filter(filter)
    }
    if !query.any.isEmpty {
      var parts = DeviceQuery()
      parts.any = query.any
      if index.devices(passing: parts, at: now, among: own).isEmpty { return .noPart }
    }
    for (part, source) in zip(query.except, audience.except) {
      var exclusion = DeviceQuery()
      exclusion.except = [part]
      if index.devices(passing: exclusion, at: now, among: own).isEmpty {
        return .excluded(source)
      }
    }
    return nil
  }
}

extension Filter {
  /// The filter with the API's names: `tags is "news" or "sport"`.
  var apiWords: String {
    "\(field.apiName) \(isNegated ? "is not" : "is") "
      + criteria.map(\.apiWords).joined(separator: " or ")
  }
}

extension Filter.Criterion {
  fileprivate var apiWords: String {
    switch self {
    case .equals(let value): return Self.text(value)
    case .exists: return "set"
    case .range(let bounds):
      return bounds.map { "\($0.comparison.sign) \(Self.text($0.value))" }
        .joined(separator: " and ")
    case .within(let circle):
      return "within \(Int(circle.radius)) m of \(circle.latitude), \(circle.longitude)"
    }
  }

  private static func text(_ value: JSONValue) -> String {
    String(decoding: value.serialized().prefix(100), as: UTF8.self)
  }
}

extension Filter.Bound.Comparison {
  fileprivate var sign: String {
    switch self {
    case .gt: "above"
    case .gte: "at least"
    case .lt: "below"
    case .lte: "at most"
    }
  }
}
