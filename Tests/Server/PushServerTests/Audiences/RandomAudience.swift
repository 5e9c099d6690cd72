import PushModel
import PushPayload
import TestSupport

@testable import PushServer

/// Devices and filters out of few values, so that they often meet.
struct RandomAudience {
  static let now = Timestamp(milliseconds: 1_700_000_000_000)
  private static let words = ["news", "sport", "Ärger", "🎈", ""]
  private static let locales = ["en_US", "en-us", "de_DE", "fr"]
  private static let versions = ["1.2", "1.10", "1.9.3", "2.0", "10.1"]
  private static let zones = ["Europe/Berlin", "America/New_York"]

  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func pick<T>(_ values: [T]) -> T {
    values[Int.random(in: 0..<values.count, using: &random)]
  }
  private mutating func chance(_ share: Double) -> Bool {
    Double.random(in: 0..<1, using: &random) < share
  }
  private mutating func maybe<T>(_ value: T) -> T? { chance(0.7) ? value : nil }
  private mutating func days(_ range: ClosedRange<Int64>) -> Timestamp {
    Timestamp(
      milliseconds: Self.now.milliseconds + .random(in: range, using: &random) * 86_400_000
        + pick([-1, 0, 0, 1]))
  }

  mutating func device(_ number: UInt32) -> Device {
    var device = Device(id: "device-\(number)", createdAt: days(-20...0))
    device.number = number
    device.updatedAt = days(-10...0)
    device.lastOpenedAt = maybe(days(-10...0))
    device.userID = maybe("user-\(number / 3)")
    device.userEmail = maybe("mail-\(number / 2)")
    device.token = chance(0.9) ? "00" : nil
    device.platform = pick(["iOS", "iOS", "Android"])
    device.isDevelopment = chance(0.2)
    device.isPushEnabled = chance(0.8)
    device.isPushQuiet = chance(0.3)
    device.tags = Self.words.filter { _ in chance(0.4) }
    device.locale = maybe(pick(Self.locales))
    device.timeZone = maybe(pick(Self.zones))
    device.appVersion = maybe(pick(Self.versions))
    device.osVersion = maybe(pick(Self.versions))
    device.sdkVersion = maybe(pick(Self.versions))
    device.location.country = maybe(pick(["DE", "NZ"]))
    device.location.city = maybe(pick(["Berlin", "Auckland"]))
    if chance(0.7) {
      device.location.latitude = .random(in: -90...90, using: &random)
      device.location.longitude = .random(in: -180...180, using: &random)
    }
    device.badge = maybe(.random(in: -1...4, using: &random))
    for name in ["plays", "buys"] where chance(0.5) {
      let count = EventCount(
        count: .random(in: 1...5, using: &random), first: Self.now, last: Self.now)
      device.events[name] = count
    }
    for kind in Attribute.Kind.allCases where chance(0.6) {
      // Sometimes the name belongs to a value of another kind.
      device.attributes[chance(0.9) ? kind.rawValue : "other"] = attribute(kind)
    }
    if chance(0.05) { device.uninstalledAt = Self.now }
    return chance(0.05) ? device.erased(at: Self.now) : device
  }

  private mutating func attribute(_ kind: Attribute.Kind) -> Attribute {
    guard kind != .boolean, chance(0.4) else { return Attribute(kind: kind, value: scalar(kind)) }
    let count = Int.random(in: 0...3, using: &random)
    return Attribute(kind: kind, value: .array((0..<count).map { _ in scalar(kind) }))
  }

  private mutating func scalar(_ kind: Attribute.Kind) -> JSONValue {
    switch kind {
    case .string: .string(pick(Self.words))
    case .integer: .integer(pick([-2_147_483_647, -2, -1, 0, 1, 2, 2_147_483_647]))
    case .float: .number(pick([-1e30, -1.5, -0.0, 0, 0.5, 1.5, 1e30]))
    case .boolean: .bool(chance(0.5))
    case .date: .string(days(-5...5).iso8601)
    }
  }

  // MARK: Filters

  mutating func filters() -> [Filter] { (0..<pick([1, 1, 2, 3])).map { _ in filter() } }

  private mutating func filter() -> Filter {
    var fields = Filter.BuiltIn.allCases.map(Filter.Field.builtIn)
    fields += Attribute.Kind.allCases.map { .attribute($0, name: pick([$0.rawValue, "other"])) }
    fields += [.event("plays"), .event("buys"), .event("none")]
    let field = pick(fields)
    let count = pick([1, 1, 2, 5])
    return Filter(
      field: field, criteria: (0..<count).map { _ in criterion(field) }, isNegated: chance(0.3))
  }

  private mutating func criterion(_ field: Filter.Field) -> Filter.Criterion {
    if chance(0.1) { return .exists }
    switch field.kind {
    case .place:
      return .within(
        Filter.Circle(
          latitude: .random(in: -90...90, using: &random),
          longitude: .random(in: -180...180, using: &random),
          radius: pick([0, 1000, 2_000_000, 15_000_000])))
    case .string, .boolean: return .equals(value(field))
    case .integer, .float, .date, .version:
      if chance(0.4) { return .equals(value(field)) }
      var bounds: [Filter.Bound] = []
      for comparison in Filter.Bound.Comparison.allCases where chance(0.4) {
        let bound =
          field.kind == .date && chance(0.3)
          ? .string(pick(["-3d", "+1d", "-72h", "+0d"])) : value(field)
        bounds.append(Filter.Bound(comparison, bound))
      }
      return bounds.isEmpty ? .range([Filter.Bound(.gte, value(field))]) : .range(bounds)
    }
  }

  private mutating func value(_ field: Filter.Field) -> JSONValue {
    switch (field, field.kind) {
    case (.builtIn(.locale), _): .string(pick(Self.locales + ["EN-us"]))
    case (.builtIn(.timeZone), _): .string(pick(Self.zones))
    case (.builtIn(.platform), _), (.builtIn(.osName), _): .string(pick(["iOS", "Android"]))
    case (.builtIn(.country), _): .string(pick(["de", "NZ", "FR"]))
    case (.builtIn(.city), _): .string(pick(["berlin", "Auckland"]))
    case (.builtIn(.deviceID), _): .string("device-\(Int.random(in: 1...500, using: &random))")
    case (.builtIn(.userID), _): .string("user-\(Int.random(in: 1...200, using: &random))")
    case (.builtIn(.userEmail), _): .string("mail-\(Int.random(in: 1...200, using: &random))")
    case (.event, _), (.builtIn(.badge), _): .integer(.random(in: -1...6, using: &random))
    case (_, .version): .string(pick(Self.versions))
    case (_, .integer): scalar(.integer)
    case (_, .float): scalar(.float)
    case (_, .boolean): scalar(.boolean)
    case (_, .date): .string(days(-20...5).iso8601)
    case (_, .string), (_, .place): .string(pick(Self.words))
    }
  }
}
