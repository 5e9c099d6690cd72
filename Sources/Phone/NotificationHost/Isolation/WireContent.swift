import Foundation
import PushPayload
import RichNotifications
@_spi(Host) import UserNotifications

/// A notification's content in a message; attachments are passed as URLs of files.
struct WireContent: Codable, Sendable {
  var title, subtitle, body: String
  var badge: Double?
  var sound: Sound?
  var attachments: [Attachment]
  var userInfo: JSONValue
  var category, thread, launchImage: String
  var targetContent, filterCriteria: String?
  var interruptionLevel: UInt
  var relevanceScore: Double

  struct Sound: Codable, Sendable {
    var name: String?
    var isCritical: Bool
    var volume: Float?
  }

  struct Attachment: Codable, Sendable {
    var identifier, type: String
    var url: URL
    var options: JSONValue
  }

  init(_ content: UNNotificationContent) {
    title = content.title
    subtitle = content.subtitle
    body = content.body
    badge = content.badge?.doubleValue
    sound = content.sound.map {
      Sound(name: $0.name?.rawValue, isCritical: $0.isCritical, volume: $0.volume)
    }
    attachments = content.attachments.map { attachment in
      let options = attachment.options.reduce(into: [AnyHashable: Any]()) { $0[$1.key] = $1.value }
      return Attachment(
        identifier: attachment.identifier, type: attachment.type, url: attachment.url,
        options: JSONValue(userInfo: options))
    }
    userInfo = JSONValue(userInfo: content.userInfo)
    category = content.categoryIdentifier
    thread = content.threadIdentifier
    launchImage = content.launchImageName
    targetContent = content.targetContentIdentifier
    filterCriteria = content.filterCriteria
    interruptionLevel = content.interruptionLevel.rawValue
    relevanceScore = content.relevanceScore
  }

  var content: UNNotificationContent {
    let content = UNMutableNotificationContent()
    content.title = title
    content.subtitle = subtitle
    content.body = body
    content.badge = badge.map(NSNumber.init(value:))
    content.sound = sound?.sound
    content.attachments = attachments.map { attachment in
      UNNotificationAttachment(
        identifier: attachment.identifier, url: attachment.url, type: attachment.type,
        options: attachment.options.attachmentOptions)
    }
    content.userInfo = userInfo.userInfo
    content.categoryIdentifier = category
    content.threadIdentifier = thread
    content.launchImageName = launchImage
    content.targetContentIdentifier = targetContent
    content.filterCriteria = filterCriteria
    content.interruptionLevel = .init(rawValue: interruptionLevel) ?? .active
    content.relevanceScore = relevanceScore
    return content
  }
}

extension WireContent.Sound {
  fileprivate var sound: UNNotificationSound {
    let name = name.map(UNNotificationSoundName.init(rawValue:))
    switch (isCritical, name, volume) {
    case (false, let name?, _): return UNNotificationSound(named: name)
    case (false, nil, _): return .default
    case (true, let name?, let volume?):
      return .criticalSoundNamed(name, withAudioVolume: volume)
    case (true, let name?, nil): return .criticalSoundNamed(name)
    case (true, nil, let volume?): return .defaultCriticalSound(withAudioVolume: volume)
    case (true, nil, nil): return .defaultCritical
    }
  }
}

extension JSONValue {
  /// The options of an attachment, whose clipping rectangle is a dictionary of `Double`.
  fileprivate var attachmentOptions: [AnyHashable: Any] {
    (object ?? [:]).reduce(into: [:]) { options, member in
      switch member.value {
      case .bool(let value): options[member.key] = value
      case .string(let value): options[member.key] = value
      case .integer, .number: options[member.key] = member.value.number
      case .object(let members): options[member.key] = members.compactMapValues(\.number)
      case .null, .array: break
      }
    }
  }
}

/// A notification category in a message, with the properties that the host shows.
struct WireCategory: Codable, Hashable, Sendable {
  var identifier: String
  var actions: [Action]

  struct Action: Codable, Hashable, Sendable {
    var identifier, title: String
    var options: UInt
  }

  init(_ category: UNNotificationCategory) {
    identifier = category.identifier
    actions = category.actions.map {
      Action(identifier: $0.identifier, title: $0.title, options: $0.options.rawValue)
    }
  }

  var category: UNNotificationCategory {
    let actions = actions.map {
      UNNotificationAction(
        identifier: $0.identifier, title: $0.title, options: .init(rawValue: $0.options))
    }
    return UNNotificationCategory(
      identifier: identifier, actions: actions, intentIdentifiers: [], options: [])
  }

  static func all(in center: UNUserNotificationCenter) -> [WireCategory] {
    let found = Locked<[WireCategory]>([])
    center.getNotificationCategories { categories in
      let all = categories.map(WireCategory.init).sorted { $0.identifier < $1.identifier }
      found.withLock { $0 = all }
    }
    return found.withLock { $0 }
  }

  static func set(_ categories: [WireCategory], in center: UNUserNotificationCenter) {
    center.setNotificationCategories(Set(categories.map(\.category)))
  }
}
