import Foundation
import UserNotifications

// Extensions without a network, which differ in how, where and whether they reply.

/// Replies in `didReceive`.
class ReplyAtOnce: TemplateExtension {}

/// Replies with the request's own content.
class ReplyWithOriginal: UNNotificationServiceExtension {
  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    contentHandler(request.content)
  }
}

/// Replies in a `defer` block of `didReceive`.
class ReplyInDefer: UNNotificationServiceExtension {
  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    let content = request.content.mutableCopy() as? UNMutableNotificationContent
    defer { contentHandler(content ?? request.content) }
    guard request.content.userInfo["image"] != nil else { return }
    content?.title += " [modified]"
  }
}

/// Replies by the handler that it keeps in a property.
class ReplyByProperty: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    finish()
  }

  private func finish() {
    guard let contentHandler, let bestAttemptContent else { return }
    contentHandler(bestAttemptContent)
    self.contentHandler = nil
  }
}

/// Replies on a global queue.
class ReplyOnGlobalQueue: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    DispatchQueue.global(qos: .userInitiated).async { reply(content) }
  }
}

/// Replies on a serial queue of its own, behind other work.
class ReplyOnSerialQueue: TemplateExtension {
  private let queue = DispatchQueue(label: "com.example.service", qos: .utility)

  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    queue.async { content.subtitle = "Second line" }
    queue.async { reply(content) }
  }
}

/// Replies on the main queue, to which a global queue passes the content.
class ReplyOnMainQueue: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    DispatchQueue.global().async {
      DispatchQueue.main.async { reply(content) }
    }
  }
}

/// Replies by a work item, and hears of its end on another queue.
class ReplyByWorkItem: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let item = DispatchWorkItem { content.subtitle = "Second line" }
    item.notify(queue: .global()) { reply(content) }
    DispatchQueue.global(qos: .background).async(execute: item)
  }
}

/// Replies in an operation that depends on another one.
class ReplyOnOperationQueue: TemplateExtension {
  private let queue = OperationQueue()

  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let first = BlockOperation { content.subtitle = "Second line" }
    let last = BlockOperation { reply(content) }
    last.addDependency(first)
    queue.addOperations([last, first], waitUntilFinished: false)
  }
}

/// Replies when all work of a group is done.
class ReplyAfterGroup: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let group = DispatchGroup()
    for _ in 0..<4 {
      group.enter()
      DispatchQueue.global().async { group.leave() }
    }
    group.notify(queue: .main) { reply(content) }
  }
}

/// Replies in a task.
///
/// The form of many extensions since Swift 5.5.
class ReplyInTask: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    Task {
      await prepare(content)
      reply(content)
    }
  }

  private func prepare(_ content: UNMutableNotificationContent) async {
    await Task.yield()
    content.subtitle = "Second line"
  }
}

/// Replies in a detached task.
class ReplyInDetachedTask: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    Task.detached(priority: .background) { reply(content) }
  }
}

/// Replies in a task of the main actor.
class ReplyOnMainActor: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    Task { @MainActor in
      content.subtitle = Self.subtitle
      reply(content)
    }
  }

  @MainActor private static var subtitle = "Second line"
}

/// Replies after the tasks of a task group.
class ReplyAfterTaskGroup: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    Task {
      let words = await withTaskGroup(of: String.self) { group in
        for word in ["Ann", "Ben", "Eve"] { group.addTask { word.uppercased() } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      content.body = words.sorted().joined(separator: ", ")
      reply(content)
    }
  }
}

/// Replies after two `async let` values.
class ReplyAfterAsyncLet: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    Task {
      async let first = word("Ann")
      async let second = word("Ben")
      content.body = await "\(first) and \(second)"
      reply(content)
    }
  }

  private func word(_ name: String) async -> String {
    try? await Task.sleep(nanoseconds: 300_000_000)
    return name
  }
}

/// Replies on a thread.
class ReplyInThread: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let thread = Thread { reply(content) }
    thread.name = "attachments"
    thread.start()
  }
}

/// Replies two seconds later.
class ReplyAfterDelay: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    DispatchQueue.main.asyncAfter(deadline: .now() + 2) { reply(content) }
  }
}

/// Replies after the sleep of a task.
class ReplyAfterTaskSleep: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    Task {
      try await Task.sleep(nanoseconds: 10_000_000_000)
      reply(content)
    }
  }
}

/// Passes the content to the main queue and waits for it.
class ReplyAfterMainSync: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    DispatchQueue.main.sync { content.subtitle = "Second line" }
    reply(content)
  }
}

/// Changes the content and replies only when the time is up.
///
/// The form of dombartenope/iosdeeplinking, after a part of the template was deleted.
class ReplyOnlyAtExpiry: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {}
}

/// Replies between the warning and the end.
class ReplyAfterExpiry: UNNotificationServiceExtension {
  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
      return
    }
    content.title += " [modified]"
    DispatchQueue.global().asyncAfter(deadline: .now() + 29.5) { contentHandler(content) }
  }
}

/// Replies when the time is over.
class ReplyTooLate: UNNotificationServiceExtension {
  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    let content = request.content
    DispatchQueue.global().asyncAfter(deadline: .now() + 31) { contentHandler(content) }
  }
}

/// Returns without a reply, because a key of the payload is missing.
class NeverReplies: UNNotificationServiceExtension {
  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    guard request.content.userInfo["fcm_options"] != nil else { return }
    contentHandler(request.content)
  }
}

/// Replies twice, with different texts.
class RepliesTwice: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    content.body = "First"
    reply(content)
    content.body = "Second"
    reply(content)
  }
}

/// Changes the content after the reply.
class ChangesAfterReply: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    content.body = "Before"
    reply(content)
    content.body = "After"
  }
}

/// Replies with new, empty content.
class ReplyWithoutText: UNNotificationServiceExtension {
  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    contentHandler(UNMutableNotificationContent())
  }
}
