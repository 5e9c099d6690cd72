import Foundation
import UserNotifications

/// A place from which an extension calls the content handler.
///
/// The ways are those of published extensions: at once, from a queue, a task or a thread, after work in the background,
/// and after `didReceive` has waited for a semaphore.
enum ReplyPlace: String, CaseIterable, Sendable {
  case direct, globalQueue, ownQueue, mainQueue, operationQueue, mainOperationQueue, dispatchGroup
  case task, detachedTask, mainActor, thread
  // These take 0.2 s.
  case asyncAfter, asyncAfterOnMain, taskSleep, dispatchTimer
  case sleepOnQueue, sleepInThread, sleepHere
  case computeOnQueue, computeInTask, semaphore, semaphoreWithTimeout
  // This takes 0.2 s, in a process whose main run loop runs.
  case timer
  // These take 20 s of the host's clock.
  case longAsyncAfter, longAsyncAfterOnMain, longTaskSleep, longTaskSleepInNanoseconds
  case longSleepOfDetachedTask, longAsyncAfterInBlock

  private static let first = 11

  /// Those at which the reply needs no time.
  static var immediate: [ReplyPlace] { Array(allCases.prefix(first)) }
  /// Those at which it takes 0.2 s, and that work in the host's process.
  static var delayed: [ReplyPlace] { Array(allCases[first...].prefix { $0 != .timer }) }
  /// Those at which it takes 20 s of the host's clock, and no real time.
  static var virtual: [ReplyPlace] { Array(allCases.drop { $0 != .longAsyncAfter }) }

  static let delay = 0.2

  func call(_ reply: @escaping @Sendable () -> Void) {
    let delay = Self.delay
    switch self {
    case .direct: reply()
    case .globalQueue: DispatchQueue.global().async(execute: reply)
    case .ownQueue: DispatchQueue(label: "own").async(execute: reply)
    case .mainQueue: DispatchQueue.main.async(execute: reply)
    case .operationQueue: OperationQueue().addOperation(reply)
    case .mainOperationQueue: OperationQueue.main.addOperation(reply)
    case .dispatchGroup:
      let group = DispatchGroup()
      for _ in 0..<3 { DispatchQueue.global(qos: .utility).async(group: group) {} }
      group.notify(queue: .global(), execute: reply)
    case .task: Task { reply() }
    case .detachedTask: Task.detached { reply() }
    case .mainActor: Task { @MainActor in reply() }
    case .thread: Thread.detachNewThread(reply)
    case .asyncAfter: DispatchQueue.global().asyncAfter(deadline: .now() + delay, execute: reply)
    case .asyncAfterOnMain:
      DispatchQueue.main.asyncAfter(wallDeadline: .now() + delay, execute: reply)
    case .taskSleep:
      Task {
        try? await Task.sleep(for: .seconds(delay))
        reply()
      }
    case .dispatchTimer:
      let timer = DispatchSource.makeTimerSource()
      timer.schedule(deadline: .now() + delay)
      timer.setEventHandler {
        timer.cancel()
        reply()
      }
      timer.resume()
    case .sleepOnQueue:
      DispatchQueue.global().async {
        usleep(UInt32(delay * 1_000_000))
        reply()
      }
    case .sleepInThread:
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: delay)
        reply()
      }
    case .sleepHere:
      usleep(UInt32(delay * 1_000_000))
      reply()
    case .computeOnQueue:
      DispatchQueue.global().async {
        Self.compute()
        reply()
      }
    case .computeInTask:
      Task {
        Self.compute()
        reply()
      }
    case .semaphore:
      let done = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        usleep(UInt32(delay * 1_000_000))
        done.signal()
      }
      done.wait()
      reply()
    case .semaphoreWithTimeout:
      _ = DispatchSemaphore(value: 0).wait(timeout: .now() + delay)
      reply()
    case .longAsyncAfter: DispatchQueue.global().asyncAfter(deadline: .now() + 20, execute: reply)
    case .longAsyncAfterOnMain:
      DispatchQueue.main.asyncAfter(wallDeadline: .now() + 20, execute: reply)
    case .longTaskSleep:
      Task {
        try? await Task.sleep(for: .seconds(20))
        reply()
      }
    case .longTaskSleepInNanoseconds:
      Task {
        try? await Task.sleep(nanoseconds: 20_000_000_000)
        reply()
      }
    case .longSleepOfDetachedTask:
      Task.detached {
        try? await Task.sleep(for: .seconds(20))
        reply()
      }
    case .longAsyncAfterInBlock:
      DispatchQueue.global().async {
        DispatchQueue.main.asyncAfter(deadline: .now() + 20, execute: reply)
      }
    case .timer:
      let timer = Timer(timeInterval: delay, repeats: false) { _ in reply() }
      RunLoop.main.add(timer, forMode: .common)
    }
  }

  private static func compute() {
    let end = ContinuousClock.now + .seconds(delay)
    while .now < end {}
  }
}

/// An extension that replies from the place that the payload's `reply` names, with it as the title.
final class PlacedReply: UNNotificationServiceExtension {
  /// The handler and what it receives.
  ///
  /// `@unchecked Sendable`: passed on to one other thread, as every extension does.
  private struct Reply: @unchecked Sendable {
    let handler: (UNNotificationContent) -> Void
    let content: UNMutableNotificationContent
  }

  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    guard let content = request.content.mutableCopy() as? UNMutableNotificationContent,
      let place = (content.userInfo["reply"] as? String).flatMap(ReplyPlace.init(rawValue:))
    else { return contentHandler(request.content) }
    content.title = place.rawValue
    let reply = Reply(handler: contentHandler, content: content)
    place.call { reply.handler(reply.content) }
  }
}
