import Foundation
import UserNotifications

// Extensions that fetch the payload's picture and differ in what they do when that fails or takes long.

/// Limits the time of its request to ten seconds.
class RequestTimeout: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let request = URLRequest(url: content.imageURL, timeoutInterval: 10)
    URLSession.shared.dataTask(with: request) { data, _, error in
      if let data { content.attach(data, named: "picture.png") }
      if (error as? URLError)?.code == .timedOut { content.body = "timed out" }
      reply(content)
    }.resume()
  }
}

/// Limits the time of its session's requests to fifteen seconds.
class SessionTimeout: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 15
    Task {
      let session = URLSession(configuration: configuration)
      if let data = try? await session.data(from: content.imageURL).0 {
        content.attach(data, named: "picture.png")
      }
      reply(content)
    }
  }
}

/// Replies after 25 seconds with what there is.
class SafetyDeadline: TemplateExtension {
  private let lock = NSLock()
  private var isDone = false

  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    DispatchQueue.global().asyncAfter(deadline: .now() + 25) { [weak self] in
      self?.finish(content, reply)
    }
    URLSession.shared.dataTask(with: content.imageURL) { [weak self] data, _, _ in
      if let data { content.attach(data, named: "picture.png") }
      self?.finish(content, reply)
    }.resume()
  }

  private func finish(
    _ content: UNNotificationContent, _ reply: (UNNotificationContent) -> Void
  ) {
    lock.lock()
    defer { lock.unlock() }
    guard !isDone else { return }
    isDone = true
    reply(content)
  }
}

/// Replies after three seconds by a work item, which it cancels when the picture is there.
class WorkItemDeadline: TemplateExtension {
  private var deadline: DispatchWorkItem?

  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let deadline = DispatchWorkItem { reply(content) }
    self.deadline = deadline
    DispatchQueue.main.asyncAfter(deadline: .now() + 3, execute: deadline)
    URLSession.shared.dataTask(with: content.imageURL) { [weak self] data, _, _ in
      self?.deadline?.cancel()
      if let data { content.attach(data, named: "picture.png") }
      reply(content)
    }.resume()
  }
}

/// Sets a timer on the thread of `didReceive`, which has no running run loop.
class TimerWithoutRunLoop: TemplateExtension {
  private var timer: Timer?

  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    timer = Timer.scheduledTimer(withTimeInterval: 2, repeats: false) { _ in reply(content) }
    URLSession.shared.dataTask(with: content.imageURL) { data, _, _ in
      if let data { content.attach(data, named: "picture.png") }
      reply(content)
    }.resume()
  }
}

/// Races a request and a sleep of twenty seconds.
class TaskGroupDeadline: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let url = content.imageURL
    Task {
      let data = await withTaskGroup(of: Data?.self) { group in
        group.addTask { try? await URLSession.shared.data(from: url).0 }
        group.addTask {
          try? await Task.sleep(for: .seconds(20))
          return nil
        }
        defer { group.cancelAll() }
        return await group.next() ?? nil
      }
      if let data { content.attach(data, named: "picture.png") }
      reply(content)
    }
  }
}

/// Cancels its request when the time is up, whose completion handler replies.
class CancelsAtExpiry: TemplateExtension {
  private var task: URLSessionDataTask?

  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    task = URLSession.shared.dataTask(with: content.imageURL) { data, _, error in
      if let data { content.attach(data, named: "picture.png") }
      if (error as? URLError)?.code == .cancelled { content.body = "canceled" }
      reply(content)
    }
    task?.resume()
  }

  override func serviceExtensionTimeWillExpire() { task?.cancel() }
}

/// Does not override `serviceExtensionTimeWillExpire`.
class NoExpiryHandler: UNNotificationServiceExtension {
  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
      return
    }
    content.title += " [modified]"
    URLSession.shared.dataTask(with: content.imageURL) { data, _, _ in
      if let data { content.attach(data, named: "picture.png") }
      contentHandler(content)
    }.resume()
  }
}

/// Replies only if there is an attachment.
///
/// The form of gOweRkrd/Swiftbook.
class RepliesOnSuccessOnly: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    URLSession.shared.dataTask(with: content.imageURL) { data, _, _ in
      guard let data else { return }
      content.attach(data, named: "picture.png")
      guard !content.attachments.isEmpty else { return }
      reply(content)
    }.resume()
  }
}

/// Tries another server when the first fails.
class FallsBackToSecondServer: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    fetch(from: [content.imageURL, content.secondURL]) { data in
      if let data { content.attach(data, named: "picture.png") }
      reply(content)
    }
  }

  private func fetch(from urls: [URL], completion: @escaping (Data?) -> Void) {
    guard let url = urls.first else { return completion(nil) }
    URLSession.shared.dataTask(with: url) { data, response, _ in
      if (response as? HTTPURLResponse)?.statusCode == 200 { return completion(data) }
      self.fetch(from: Array(urls.dropFirst()), completion: completion)
    }.resume()
  }
}

/// Tries three times, with a pause of one second.
class RetriesThreeTimes: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    Task {
      for attempt in 1...3 {
        guard let (data, response) = try? await URLSession.shared.data(from: content.imageURL),
          (response as? HTTPURLResponse)?.statusCode == 200
        else {
          content.body = "failed \(attempt) times"
          try? await Task.sleep(nanoseconds: 1_000_000_000)
          continue
        }
        content.attach(data, named: "picture.png")
        break
      }
      reply(content)
    }
  }
}

/// Attaches a picture of its bundle when there is no other.
class FallsBackToBundle: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    URLSession.shared.dataTask(with: content.imageURL) { data, response, _ in
      if let data, (response as? HTTPURLResponse)?.statusCode == 200 {
        content.attach(data, named: "picture.png")
      }
      reply(Self.withPlaceholder(content))
    }.resume()
  }

  override func serviceExtensionTimeWillExpire() {
    guard let contentHandler, let bestAttemptContent else { return }
    contentHandler(Self.withPlaceholder(bestAttemptContent))
  }

  private static func withPlaceholder(
    _ content: UNMutableNotificationContent
  ) -> UNNotificationContent {
    if content.attachments.isEmpty,
      let file = Bundle.main.url(forResource: "placeholder", withExtension: "png")
    {
      content.attach(file)
    }
    return content
  }
}

/// Fetches two pictures at once.
class TwoPictures: TemplateExtension {
  private let lock = NSLock()
  private var pictures: [String: Data] = [:]

  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let group = DispatchGroup()
    for (name, url) in [("first.png", content.imageURL), ("second.png", content.secondURL)] {
      group.enter()
      URLSession.shared.dataTask(with: url) { data, _, _ in
        self.lock.lock()
        self.pictures[name] = data
        self.lock.unlock()
        group.leave()
      }.resume()
    }
    group.notify(queue: .global()) {
      for (name, data) in self.pictures.sorted(by: { $0.key < $1.key }) {
        content.attach(data, named: name)
      }
      reply(content)
    }
  }
}

/// Replies with the text at once, and with the picture later.
class RepliesAgainWithPicture: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let task = URLSession.shared.dataTask(with: content.imageURL) { data, _, _ in
      if let data { content.attach(data, named: "picture.png") }
      reply(content)
    }
    reply(content)
    task.resume()
  }
}

/// Says in the text why the system refuses the attachment.
class ReportsAttachmentError: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    URLSession.shared.dataTask(with: content.imageURL) { data, _, _ in
      do {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("picture.png")
        try data?.write(to: file)
        let attachment = try UNNotificationAttachment(identifier: "picture", url: file)
        content.attachments = [attachment]
      } catch {
        content.body = "error \((error as NSError).code)"
      }
      reply(content)
    }.resume()
  }
}
