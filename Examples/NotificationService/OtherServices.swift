import Foundation
import UserNotifications

// Ten service extensions with one feature each, for the tests in `Examples/AppTests`.

/// The properties of all, and the reply when the time is up.
///
/// `@unchecked Sendable`: the properties are set in `didReceive`, before any other code runs, and the subclasses have
/// none. As in most projects, nothing keeps a handler from changing the content while the time ends.
class Service: UNNotificationServiceExtension, @unchecked Sendable {
  private(set) var contentHandler: (UNNotificationContent) -> Void = { _ in }
  private(set) var content = UNMutableNotificationContent()

  /// The picture that the payload names.
  var imageURL: URL {
    URL(string: content.userInfo["image_url"] as? String ?? "") ?? URL(fileURLWithPath: "/")
  }

  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    self.contentHandler = contentHandler
    content = request.content.mutableCopy() as? UNMutableNotificationContent ?? content
    process()
  }

  func process() { reply() }

  func reply() { contentHandler(content) }

  /// Attaches the picture if there is one, and replies.
  func reply(with picture: Data?) {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("picture.png")
    if let picture, (try? picture.write(to: file)) != nil,
      let attachment = try? UNNotificationAttachment(identifier: "picture", url: file)
    {
      content.attachments = [attachment]
    }
    reply()
  }

  override func serviceExtensionTimeWillExpire() { reply() }
}

final class MainQueueService: Service, @unchecked Sendable {
  override func process() {
    DispatchQueue.main.async {
      self.content.body = "From the main queue"
      self.reply()
    }
  }
}

final class TaskService: Service, @unchecked Sendable {
  override func process() {
    Task {
      let (data, _) = try await URLSession.shared.data(from: imageURL)
      reply(with: data)
    }
  }
}

final class DataContentsOfService: Service, @unchecked Sendable {
  override func process() { reply(with: try? Data(contentsOf: imageURL)) }
}

final class StaticSessionService: Service, @unchecked Sendable {
  private static let session = URLSession(configuration: .ephemeral)

  override func process() {
    Self.session.dataTask(with: imageURL) { data, _, _ in self.reply(with: data) }.resume()
  }
}

final class DownloadService: Service, @unchecked Sendable {
  override func process() {
    Task {
      if let (file, response) = try? await URLSession.shared.download(from: imageURL),
        (response as? HTTPURLResponse)?.statusCode == 200
      {
        reply(with: try? Data(contentsOf: file))
      } else {
        reply()
      }
    }
  }
}

final class RetryService: Service, @unchecked Sendable {
  override func process() { load(attempts: 3) }

  private func load(attempts: Int) {
    URLSession.shared.dataTask(with: imageURL) { data, _, _ in
      guard data == nil, attempts > 1 else { return self.reply(with: data) }
      DispatchQueue.global().asyncAfter(deadline: .now() + 2) { self.load(attempts: attempts - 1) }
    }.resume()
  }
}

final class DeadlineService: Service, @unchecked Sendable {
  override func process() {
    let task = URLSession.shared.dataTask(with: imageURL) { data, _, _ in self.reply(with: data) }
    task.resume()
    DispatchQueue.global().asyncAfter(deadline: .now() + 20) { task.cancel() }
  }
}

final class BadgeService: Service, @unchecked Sendable {
  override func process() {
    let defaults = UserDefaults(suiteName: "group.com.example.app")
    let badge = (defaults?.integer(forKey: "badge") ?? 0) + 1
    defaults?.set(badge, forKey: "badge")
    content.badge = NSNumber(value: badge)
    reply()
  }
}

final class BundleService: Service, @unchecked Sendable {
  override func process() {
    let file = Bundle.main.url(forResource: "placeholder", withExtension: "png")
    reply(with: file.flatMap { try? Data(contentsOf: $0) })
  }
}

final class SilentService: UNNotificationServiceExtension {
  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {}
}
