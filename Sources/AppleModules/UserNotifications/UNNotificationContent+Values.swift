import Foundation

/// The comparison and coding of content.
extension UNNotificationContent.Storage {
  func isEqual(to other: Self) -> Bool {
    title == other.title && subtitle == other.subtitle && body == other.body
      && badge == other.badge && sound == other.sound && attachments == other.attachments
      && holdSame(userInfo, other.userInfo)
      && categoryIdentifier == other.categoryIdentifier
      && threadIdentifier == other.threadIdentifier && launchImageName == other.launchImageName
      && summaryArgument == other.summaryArgument
      && summaryArgumentCount == other.summaryArgumentCount
      && targetContentIdentifier == other.targetContentIdentifier
      && interruptionLevel == other.interruptionLevel && relevanceScore == other.relevanceScore
      && filterCriteria == other.filterCriteria && communication == other.communication
  }

  init(_ coder: NSCoder) {
    title = coder.text("title") ?? ""
    subtitle = coder.text("subtitle") ?? ""
    body = coder.text("body") ?? ""
    badge = coder.number("badge")
    sound = coder.decodeObject(of: UNNotificationSound.self, forKey: "sound")
    let classes: [AnyClass] = [NSArray.self, UNNotificationAttachment.self]
    attachments =
      coder.decodeObject(of: classes, forKey: "attachments") as? [UNNotificationAttachment] ?? []
    userInfo = coder.dictionary("userInfo")
    categoryIdentifier = coder.text("categoryIdentifier") ?? ""
    threadIdentifier = coder.text("threadIdentifier") ?? ""
    launchImageName = coder.text("launchImageName") ?? ""
    summaryArgument = coder.text("summaryArgument") ?? ""
    summaryArgumentCount = coder.decodeInteger(forKey: "summaryArgumentCount")
    targetContentIdentifier = coder.text("targetContentIdentifier")
    let level = UInt(bitPattern: coder.decodeInteger(forKey: "interruptionLevel"))
    interruptionLevel = UNNotificationInterruptionLevel(rawValue: level) ?? .active
    relevanceScore = coder.decodeDouble(forKey: "relevanceScore")
    filterCriteria = coder.text("filterCriteria")
  }

  func encode(with coder: NSCoder) {
    coder.encode(title, forKey: "title")
    coder.encode(subtitle, forKey: "subtitle")
    coder.encode(body, forKey: "body")
    coder.encode(badge, forKey: "badge")
    coder.encode(sound, forKey: "sound")
    coder.encode(NSArray(array: attachments), forKey: "attachments")
    coder.encode(NSDictionary(dictionary: userInfo), forKey: "userInfo")
    coder.encode(categoryIdentifier, forKey: "categoryIdentifier")
    coder.encode(threadIdentifier, forKey: "threadIdentifier")
    coder.encode(launchImageName, forKey: "launchImageName")
    coder.encode(summaryArgument, forKey: "summaryArgument")
    coder.encode(summaryArgumentCount, forKey: "summaryArgumentCount")
    coder.encode(targetContentIdentifier, forKey: "targetContentIdentifier")
    coder.encode(Int(bitPattern: interruptionLevel.rawValue), forKey: "interruptionLevel")
    coder.encode(relevanceScore, forKey: "relevanceScore")
    coder.encode(filterCriteria, forKey: "filterCriteria")
  }
}

/// Whether two property lists are equal, whether their values are boxed by Foundation or not.
func holdSame(_ one: Any, _ other: Any) -> Bool {
  switch (one, other) {
  case (let one as [AnyHashable: Any], let other as [AnyHashable: Any]):
    one.count == other.count
      && one.allSatisfy { key, value in other[key].map { holdSame(value, $0) } ?? false }
  case (let one as [Any], let other as [Any]):
    one.count == other.count && zip(one, other).allSatisfy { holdSame($0, $1) }
  case (let one as String, let other as String): one == other
  case (let one as NSNumber, let other as NSNumber): one == other
  case (let one as AnyHashable, let other as AnyHashable): one == other
  default: false
  }
}
