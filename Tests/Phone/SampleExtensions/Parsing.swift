import Foundation
import UserNotifications

// Extensions that make the text of what the payload, the app group and the bundle have.

/// The app group of the samples.
private let appGroup = "group.com.example.app"

/// Decrypts the text with a key of the app group.
///
/// An exclusive or stands for the cipher.
class DecryptsText: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let key = UserDefaults(suiteName: appGroup)?.string(forKey: "key") ?? ""
    if let data = Data(base64Encoded: content.text("encrypted")), !key.isEmpty {
      let key = Array(key.utf8)
      let plain = data.enumerated().map { $1 ^ key[$0 % key.count] }
      content.body = String(decoding: plain, as: UTF8.self)
    }
    reply(content)
  }
}

/// Replies only if it can decrypt the text, and has no key.
///
/// The form of chiff-app/chiff-ios, which relies on the end of the time otherwise.
class DecryptsWithoutKey: TemplateExtension {
  private enum Failure: Error { case noKey }

  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    if let content = try? decrypt(content) { reply(content) }
  }

  private func decrypt(
    _ content: UNMutableNotificationContent
  ) throws -> UNMutableNotificationContent {
    guard let key = UserDefaults(suiteName: appGroup)?.data(forKey: "another key") else {
      throw Failure.noKey
    }
    content.body = "\(key.count)"
    return content
  }
}

/// Decodes a text in Base64.
class DecodesBase64: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    if let data = Data(base64Encoded: content.text("base64")),
      let text = String(data: data, encoding: .utf8)
    {
      content.body = text
    }
    reply(content)
  }
}

/// Decodes JSON in a string of the payload.
class DecodesJSONText: TemplateExtension {
  private struct Chat: Decodable {
    let sender: String
    let message: String
  }

  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    do {
      let chat = try JSONDecoder().decode(Chat.self, from: Data(content.text("chat").utf8))
      content.title = chat.sender
      content.body = chat.message
    } catch {
      content.body = "\(error)"
    }
    reply(content)
  }
}

/// Decodes the whole payload as a type.
class DecodesUserInfo: TemplateExtension {
  private struct Payload: Decodable {
    struct APS: Decodable { let alert: [String: String] }
    let aps: APS
    let image: URL
  }

  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    if let data = try? JSONSerialization.data(withJSONObject: content.userInfo),
      let payload = try? JSONDecoder().decode(Payload.self, from: data)
    {
      content.body = "\(payload.aps.alert["title"] ?? "") from \(payload.image.host ?? "")"
    }
    reply(content)
  }
}

/// Reads the text of `aps`, as the payload has it.
class ReadsAPS: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let aps = content.userInfo["aps"] as? [AnyHashable: Any]
    let alert = aps?["alert"] as? [String: Any]
    content.body = "\(alert?["title"] as? String ?? "no title")!"
    reply(content)
  }
}

/// Swallows the error of a document that is not as expected.
class SwallowsError: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let object = try? JSONSerialization.jsonObject(with: Data(content.text("base64").utf8))
    if let object = object as? [String: String] { content.body = object["text"] ?? "" }
    reply(content)
  }
}

/// Removes markup by a regular expression.
class RemovesMarkup: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    content.body = content.text("markup")
      .replacingOccurrences(of: "<[^>]+>", with: "", options: .regularExpression)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    reply(content)
  }
}

/// Shows a date of the payload.
class FormatsDate: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "d MMMM yyyy"
    let seconds = content.userInfo["date"] as? TimeInterval ?? 0
    content.body = formatter.string(from: Date(timeIntervalSince1970: seconds))
    reply(content)
  }
}

/// Reads a text of the bundle's Info.plist.
class ReadsInfoPlist: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    content.body = Bundle.main.object(forInfoDictionaryKey: "Server") as? String ?? "no key"
    reply(content)
  }
}

/// Counts the badge in the user defaults of the app group.
class BadgeOfAppGroup: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let defaults = UserDefaults(suiteName: appGroup)
    let badge = (defaults?.integer(forKey: "badge") ?? 0) + 1
    defaults?.set(badge, forKey: "badge")
    content.badge = NSNumber(value: badge)
    reply(content)
  }
}

/// Counts the badge with key-value coding.
class BadgeByKeyValueCoding: TemplateExtension {
  let defaults = UserDefaults(suiteName: "group.com.example.app")

  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let count = (defaults?.value(forKey: "badge") as? Int) ?? 0
    content.badge = count as NSNumber
    defaults?.set(count + 1, forKey: "badge")
    reply(content)
  }
}

/// Counts the badge in a file of the app group.
class BadgeInFile: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    if let file = FileManager.default
      .containerURL(forSecurityApplicationGroupIdentifier: appGroup)?
      .appendingPathComponent("badge.json")
    {
      let stored = try? JSONDecoder().decode([Int].self, from: Data(contentsOf: file))
      let badge = (stored?.first ?? 0) + 1
      try? JSONEncoder().encode([badge]).write(to: file)
      content.badge = NSNumber(value: badge)
    }
    reply(content)
  }
}

/// Stores the payload for the app, and removes a value with `nil`.
class StoresUserInfo: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let defaults = UserDefaults(suiteName: appGroup)
    defaults?.set(content.userInfo as NSDictionary, forKey: "last")
    defaults?.set(nil, forKey: "key")
    defaults?.synchronize()
    let last = defaults?.dictionary(forKey: "last")
    let hasKey = defaults?.string(forKey: "key") != nil
    content.body = "\(last?["markup"] as? String ?? "") \(hasKey)"
    reply(content)
  }
}
