import Foundation
import PushPayload
import RichNotifications
@_spi(Host) import UserNotifications

/// The conversion of a payload to notification content (docs/app/ios-model.md).
struct RequestBuilding {
  /// The flags of the payload, which are not part of the content.
  struct Flags: Hashable, Sendable {
    var mutableContent = false
    var contentAvailable = false
  }

  var content: UNMutableNotificationContent
  var flags: Flags
  private let strings: LocalizedStrings

  /// Converts a payload; `nil` if nothing of it is usable, so that the system drops it.
  init?(_ payload: JSONValue, strings: LocalizedStrings = LocalizedStrings()) {
    guard let members = payload.object, let aps = members["aps"]?.object, !aps.isEmpty else {
      return nil
    }
    content = UNMutableNotificationContent()
    flags = Flags(
      mutableContent: Self.isOn(aps["mutable-content"]),
      contentAvailable: Self.isOn(aps["content-available"]))
    self.strings = strings
    content.userInfo = payload.userInfo
    readAlert(aps["alert"])
    readRest(aps)
    let shows = !(content.title + content.subtitle + content.body).isEmpty
    guard shows || content.badge != nil || content.sound != nil || flags.contentAvailable else {
      return nil
    }
  }

  private mutating func readAlert(_ alert: JSONValue?) {
    switch alert {
    case .string(let text)?: content.body = text
    case .object(let alert)?:
      content.title = text(
        of: alert, literal: "title", key: "title-loc-key", arguments: "title-loc-args")
      content.subtitle = text(
        of: alert, literal: "subtitle", key: "subtitle-loc-key", arguments: "subtitle-loc-args")
      content.body = text(of: alert, literal: "body", key: "loc-key", arguments: "loc-args")
      content.launchImageName = alert["launch-image"]?.string ?? ""
    default: break
    }
  }

  private mutating func readRest(_ aps: [String: JSONValue]) {
    if let badge = aps["badge"]?.number, badge >= 0 { content.badge = NSNumber(value: badge) }
    content.categoryIdentifier = aps["category"]?.string ?? ""
    content.threadIdentifier = aps["thread-id"]?.string ?? ""
    content.targetContentIdentifier = aps["target-content-id"]?.string
    content.filterCriteria = aps["filter-criteria"]?.string
    content.relevanceScore = min(max(aps["relevance-score"]?.number ?? 0, 0), 1)
    content.interruptionLevel =
      switch aps["interruption-level"]?.string {
      case "passive": .passive
      case "time-sensitive": .timeSensitive
      case "critical": .critical
      default: .active
      }
    let isCritical = content.interruptionLevel == .critical
    content.sound = Self.sound(aps["sound"], isCritical: isCritical)
  }

  /// Whether a flag is on: for a positive number, `true`, and any other value that is not a number.
  private static func isOn(_ value: JSONValue?) -> Bool {
    guard let value, !value.isNull, value != false else { return false }
    guard let number = value.number else { return true }
    return number > 0
  }

  /// The localized format with its arguments, else the literal text, else the key itself.
  private func text(
    of alert: [String: JSONValue], literal: String, key: String, arguments: String
  ) -> String {
    let text = alert[literal]?.string ?? ""
    guard let localizationKey = alert[key]?.string, !localizationKey.isEmpty else { return text }
    let values = (alert[arguments]?.array ?? []).map { value in
      value.string ?? value.integer.map(String.init) ?? value.number.map { String($0) } ?? ""
    }
    let fallback = text.isEmpty ? localizationKey : text
    return LocalizedFormat.fill(strings[localizationKey] ?? fallback, with: values)
  }

  private static func sound(_ value: JSONValue?, isCritical: Bool) -> UNNotificationSound? {
    switch value {
    case .string(let name)? where !name.isEmpty:
      return name == "default" ? .default : UNNotificationSound(named: .init(name))
    case .object(let sound)?:
      let isCritical = isCritical || isOn(sound["critical"])
      let volume = sound["volume"]?.number.map { Float(min(max($0, 0), 1)) }
      let name = sound["name"]?.string.flatMap { $0.isEmpty ? nil : $0 }
      switch (name, isCritical) {
      case (nil, true), ("default"?, true):
        return volume.map(UNNotificationSound.defaultCriticalSound) ?? .defaultCritical
      case (nil, false), ("default"?, false): return .default
      case (let name?, true):
        return volume.map { .criticalSoundNamed(.init(name), withAudioVolume: $0) }
          ?? .criticalSoundNamed(.init(name))
      case (let name?, false): return UNNotificationSound(named: .init(name))
      }
    default: return nil
    }
  }
}

/// Fills `%@` and `%1$@` of a localized format as the system does.
enum LocalizedFormat {
  static func fill(_ format: String, with values: [String]) -> String {
    var result = ""
    var rest = format[...]
    var next = 0
    while let percent = rest.firstIndex(of: "%") {
      result += rest[..<percent]
      rest = rest[rest.index(after: percent)...]
      if rest.hasPrefix("%") {
        result += "%"
        rest.removeFirst()
      } else if rest.hasPrefix("@") {
        result += next < values.count ? values[next] : "<null>"
        next += 1
        rest.removeFirst()
      } else if let match = rest.prefixMatch(of: /([0-9]{1,2})\$@/) {
        let index = (Int(match.1) ?? 0) - 1
        result += values.indices.contains(index) ? values[index] : "<null>"
        rest = rest[match.range.upperBound...]
      } else if !rest.isEmpty {
        rest.removeFirst()  // Unknown placeholders are removed.
      }
    }
    return result + rest
  }
}
