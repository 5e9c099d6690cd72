import Foundation
import UserNotifications

// Extensions with a fault that ends the process or keeps it busy.

/// Traps for an error of `Data(contentsOf:)`.
class TrapsOnError: UNNotificationServiceExtension {
  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
      return
    }
    content.title += " [modified]"
    let data = try! Data(contentsOf: content.imageURL)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("picture.png")
    try! data.write(to: file)
    content.attachments = [try! UNNotificationAttachment(identifier: "picture", url: file)]
    contentHandler(content)
  }
}

/// Traps for a key that the payload does not have.
class TrapsOnMissingKey: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    content.body = content.userInfo["sender"] as! String
    reply(content)
  }
}

/// Traps in a block of a queue, behind `didReceive`.
class TrapsOnQueue: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    DispatchQueue.global().async {
      content.body = content.body.components(separatedBy: "|")[1]
      reply(content)
    }
  }
}

/// Ends its process.
class ExitsWithoutReply: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    exit(0)
  }
}

/// Loops without an end in `didReceive`, and replies nevertheless when the time is up.
class LoopsForever: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    while content.title != "" {}
  }
}

/// Loops without an end after its reply.
class LoopsAfterReply: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    reply(content)
    while content.title != "" {}
  }
}

/// Waits for a signal that nobody sends, and has no reply for the end of its time.
class WaitsForever: UNNotificationServiceExtension {
  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    DispatchSemaphore(value: 0).wait()
    contentHandler(request.content)
  }
}

/// Uses more memory than an extension may.
class UsesTooMuchMemory: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let pixels = [UInt8](repeating: 1, count: 64_000_000)
    content.body = "\(pixels.count)"
    reply(content)
  }
}

/// Calls itself without an end.
class RecursesForever: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    content.body = "\(depth(1))"
    reply(content)
  }

  private func depth(_ number: Int) -> Int {
    number == 0 ? 0 : depth(number + 1) + depth(number - 2)
  }
}

/// Waits for the queue on which it runs.
class WaitsForOwnQueue: TemplateExtension {
  private let queue = DispatchQueue(label: "com.example.service")

  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    queue.async { [queue] in queue.sync { reply(content) } }
  }
}

/// Computes a text for a fifth of a second on a queue.
class ComputesOnQueue: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    DispatchQueue.global().async {
      let end = Date().addingTimeInterval(0.2)
      var rounds = 0
      while Date() < end { rounds += 1 }
      content.body = rounds > 0 ? "computed" : "nothing"
      reply(content)
    }
  }
}

/// Sets a timer on the main run loop.
class TimerOnMainRunLoop: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let timer = Timer(timeInterval: 0.2, repeats: false) { _ in reply(content) }
    RunLoop.main.add(timer, forMode: .common)
  }
}
