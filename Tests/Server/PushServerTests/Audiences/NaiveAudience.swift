import Foundation
import PushModel
import PushPayload

@testable import PushServer

/// Whether one device passes filters, told by looking at it: what the index is compared with.
struct NaiveAudience {
  var filters: [Filter]
  var now: Timestamp

  func admits(_ device: Device) -> Bool {
    device.erasedAt == nil && device.uninstalledAt == nil
      && filters.allSatisfy { admits(device, $0) }
  }

  private func admits(_ device: Device, _ filter: Filter) -> Bool {
    let values = Self.values(of: device, filter.field)
    let isMet = filter.criteria.contains { criterion in
      if case .event(let name) = filter.field, criterion == .exists {
        return device.events[name] != nil
      }
      return values.contains { meets($0, criterion, kind: filter.field.kind) }
    }
    return isMet != filter.isNegated
  }

  private enum Value {
    case text(String), number(Double), truth(Bool), time(Int64), version(String)
    case place(Double, Double)
  }

  private static func values(of device: Device, _ field: Filter.Field) -> [Value] {
    switch field {
    case .event(let name): [.number(Double(device.events[name]?.count ?? 0))]
    case .attribute(let kind, let name): attribute(device.attributes[name], kind)
    case .builtIn(.tags): device.tags.map(Value.text)
    case .builtIn(.locale): texts(device.locale)
    case .builtIn(.platform), .builtIn(.osName): [.text(device.platform)]
    case .builtIn(.country): texts(device.location.country)
    case .builtIn(.city): texts(device.location.city)
    case .builtIn(.timeZone): texts(device.timeZone)
    case .builtIn(.deviceID): [.text(device.id)]
    case .builtIn(.userID): texts(device.userID)
    case .builtIn(.userEmail): texts(device.userEmail)
    case .builtIn(.badge): device.badge.map { [.number(Double($0))] } ?? []
    case .builtIn(.development): [.truth(device.isDevelopment)]
    case .builtIn(.pushEnabled): [.truth(device.isPushEnabled)]
    case .builtIn(.pushQuiet): [.truth(device.isPushQuiet)]
    case .builtIn(.createdAt): [.time(device.createdAt.milliseconds)]
    case .builtIn(.registeredAt): [.time(device.updatedAt.milliseconds)]
    case .builtIn(.lastOpened): device.lastOpenedAt.map { [.time($0.milliseconds)] } ?? []
    case .builtIn(.osVersion): device.osVersion.map { [.version($0)] } ?? []
    case .builtIn(.appVersion): device.appVersion.map { [.version($0)] } ?? []
    case .builtIn(.sdkVersion): device.sdkVersion.map { [.version($0)] } ?? []
    case .builtIn(.location):
      if let north = device.location.latitude, let east = device.location.longitude {
        [.place(north, east)]
      } else {
        []
      }
    }
  }

  private static func texts(_ text: String?) -> [Value] { text.map { [.text($0)] } ?? [] }

  private static func attribute(_ attribute: Attribute?, _ kind: Attribute.Kind) -> [Value] {
    guard let attribute, attribute.kind == kind else { return [] }
    return (attribute.value.array ?? [attribute.value]).compactMap { value in
      switch kind {
      case .string: value.string.map(Value.text)
      case .integer, .float: value.number.map(Value.number)
      case .boolean: value.bool.map(Value.truth)
      case .date: value.string.flatMap(Timestamp.init(iso8601:)).map { .time($0.milliseconds) }
      }
    }
  }

  private func meets(_ value: Value, _ criterion: Filter.Criterion, kind: Filter.Kind) -> Bool {
    switch (value, criterion) {
    case (_, .exists): true
    case (.text(let text), .equals(let wanted)):
      Self.plain(text) == Self.plain(wanted.string ?? "")
    case (.truth(let truth), .equals(let wanted)): truth == wanted.bool
    case (.place(let north, let east), .within(let circle)):
      Self.distance(north: north, east: east, to: circle) <= circle.radius
    case (_, .equals(let wanted)): order(value, wanted) == 0
    case (_, .range(let bounds)):
      bounds.allSatisfy { bound in
        guard let order = order(value, bound.value) else { return false }
        return switch bound.comparison {
        case .gt: order > 0
        case .gte: order >= 0
        case .lt: order < 0
        case .lte: order <= 0
        }
      }
    default: false
    }
  }

  /// The samples differ by more than case and hyphens, so that one rule fits all fields.
  private static func plain(_ text: String) -> String {
    text.lowercased().replacing("-", with: "_")
  }

  private func order(_ value: Value, _ other: JSONValue) -> Int? {
    switch value {
    case .number(let number): other.number.map { Self.sign(number, $0) }
    case .time(let time):
      other.string.flatMap {
        RelativeDate($0)?.time(from: now) ?? Timestamp(iso8601: $0)
      }.map { Self.sign(time, $0.milliseconds) }
    case .version(let version):
      other.string.map { wanted in
        switch version.compare(wanted, options: .numeric) {
        case .orderedAscending: -1
        case .orderedSame: 0
        case .orderedDescending: 1
        }
      }
    default: nil
    }
  }

  private static func sign<T: Comparable>(_ left: T, _ right: T) -> Int {
    left < right ? -1 : left == right ? 0 : 1
  }

  /// The distance by the angle between two vectors, which is not the index's formula.
  private static func distance(
    north: Double, east: Double, to circle: Filter.Circle
  ) -> Double {
    func vector(_ north: Double, _ east: Double) -> [Double] {
      let (north, east) = (north * .pi / 180, east * .pi / 180)
      return [cos(north) * cos(east), cos(north) * sin(east), sin(north)]
    }
    let (one, two) = (vector(north, east), vector(circle.latitude, circle.longitude))
    let product = zip(one, two).reduce(0) { $0 + $1.0 * $1.1 }
    return acos(max(-1, min(1, product))) * 6_371_008.8
  }
}
