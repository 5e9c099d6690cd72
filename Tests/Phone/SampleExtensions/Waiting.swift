import Foundation
import UserNotifications

/// A way in which an extension waits for an answer or for a time.
public enum Waiting: String, CaseIterable, Sendable {
  case dataTask, downloadTask, uploadTask, staticSession, operationQueue, chained
  case dataDelegate, downloadDelegate, invalidated
  case asyncData, asyncDownload, asyncUpload, asyncBytes
  case detachedTask, mainActor, actor, taskGroup, continuation
  case contentsOf, contentsOfInThread, semaphoreInThread
  case contentsOnQueue, semaphoreOnQueue
  case groupNotify, urlProtocol, requestTimeout, resourceTimeout
  case asyncAfter, mainAsyncAfter, repeatedAsyncAfter, taskSleep, repeatedTaskSleep

  /// Whether only the end of its process ends it: it blocks a thread of a queue, of which a process has few, or goes on in
  /// a thread of its own or on the main actor, which the host does not see.
  public var needsProcess: Bool {
    switch self {
    case .contentsOnQueue, .semaphoreOnQueue, .contentsOfInThread, .semaphoreInThread, .mainActor:
      true
    default: false
    }
  }

  private static let session = URLSession(configuration: .default)
  private static let loader = Loader()

  /// Begins to wait.
  ///
  /// `next` is called after each part of the wait.
  func begin(_ url: URL, continue next: @escaping @Sendable (String) -> Void) {
    switch self {
    case .dataTask, .downloadTask, .uploadTask, .staticSession, .operationQueue, .chained:
      beginTask(url, next)
    case .dataDelegate, .downloadDelegate, .invalidated: beginWithDelegate(url, next)
    case .asyncData, .asyncDownload, .asyncUpload, .asyncBytes: beginAsync(url, next)
    case .detachedTask, .mainActor, .actor, .taskGroup, .continuation: beginInTask(url, next)
    case .contentsOf, .contentsOfInThread, .semaphoreInThread, .contentsOnQueue, .semaphoreOnQueue:
      beginBlocked(url, next)
    case .groupNotify:
      let group = DispatchGroup()
      group.enter()
      URLSession.shared.dataTask(with: url) { _, _, _ in group.leave() }.resume()
      group.notify(queue: .main) { next("notified") }
    case .urlProtocol:
      let configuration = URLSessionConfiguration.ephemeral
      configuration.protocolClasses = [LateProtocol.self]
      URLSession(configuration: configuration).dataTask(with: url) { _, _, _ in next("handler") }
        .resume()
    case .requestTimeout, .resourceTimeout:
      let configuration = URLSessionConfiguration.default
      if self == .requestTimeout { configuration.timeoutIntervalForRequest = 35 }
      if self == .resourceTimeout { configuration.timeoutIntervalForResource = 35 }
      URLSession(configuration: configuration).dataTask(with: url) { _, _, _ in next("handler") }
        .resume()
    case .asyncAfter, .mainAsyncAfter, .repeatedAsyncAfter, .taskSleep, .repeatedTaskSleep:
      beginSleep(next)
    }
  }

  private func beginTask(_ url: URL, _ next: @escaping @Sendable (String) -> Void) {
    switch self {
    case .downloadTask:
      URLSession.shared.downloadTask(with: url) { _, _, _ in next("handler") }.resume()
    case .uploadTask:
      URLSession.shared.uploadTask(with: URLRequest(url: url), from: nil) { _, _, _ in
        next("handler")
      }.resume()
    case .staticSession: Self.session.dataTask(with: url) { _, _, _ in next("handler") }.resume()
    case .operationQueue:
      let queue = OperationQueue()
      URLSession(configuration: .default, delegate: nil, delegateQueue: queue)
        .dataTask(with: url) { _, _, _ in next("handler") }.resume()
    case .chained:
      URLSession.shared.dataTask(with: url) { _, _, _ in
        next("handler")
        DispatchQueue.global().async {
          URLSession.shared.dataTask(with: url) { _, _, _ in next("second handler") }.resume()
        }
      }.resume()
    default: URLSession.shared.dataTask(with: url) { _, _, _ in next("handler") }.resume()
    }
  }

  private func beginWithDelegate(_ url: URL, _ next: @escaping @Sendable (String) -> Void) {
    let session = URLSession(
      configuration: .default, delegate: Delegate(next), delegateQueue: nil)
    if self == .downloadDelegate {
      session.downloadTask(with: url).resume()
    } else {
      session.dataTask(with: url).resume()
    }
    if self == .invalidated { session.finishTasksAndInvalidate() }
  }

  private func beginAsync(_ url: URL, _ next: @escaping @Sendable (String) -> Void) {
    Task {
      switch self {
      case .asyncDownload: _ = try? await URLSession.shared.download(from: url)
      case .asyncUpload:
        _ = try? await URLSession.shared.upload(for: URLRequest(url: url), from: Data())
      case .asyncBytes:
        if let (bytes, _) = try? await URLSession.shared.bytes(from: url) {
          do { for try await _ in bytes { next("byte") } } catch { next("error") }
        }
      default: _ = try? await URLSession.shared.data(from: url)
      }
      next("after await")
    }
  }

  private func beginInTask(_ url: URL, _ next: @escaping @Sendable (String) -> Void) {
    switch self {
    case .mainActor:
      Task { @MainActor in
        _ = try? await URLSession.shared.data(from: url)
        next("main actor")
      }
    case .actor:
      Task {
        await Self.loader.load(url)
        next("after the actor")
      }
    case .taskGroup:
      Task {
        await withTaskGroup(of: Void.self) { group in
          group.addTask { _ = try? await URLSession.shared.data(from: url) }
          group.addTask { try? await Task.sleep(for: .seconds(50)) }
          await group.next()
          next("first of the group")
          group.cancelAll()
        }
        next("after the group")
      }
    case .continuation:
      Task {
        await withCheckedContinuation { continuation in
          URLSession.shared.dataTask(with: url) { _, _, _ in continuation.resume() }.resume()
        }
        next("after the continuation")
      }
    default:
      Task.detached {
        _ = try? await URLSession.shared.data(from: url)
        next("detached")
      }
    }
  }

  private func beginBlocked(_ url: URL, _ next: @escaping @Sendable (String) -> Void) {
    let wait: @Sendable () -> Void = {
      if self == .semaphoreInThread || self == .semaphoreOnQueue {
        let semaphore = DispatchSemaphore(value: 0)
        URLSession.shared.dataTask(with: url) { _, _, _ in semaphore.signal() }.resume()
        semaphore.wait()
      } else {
        _ = try? Data(contentsOf: url)
      }
      next("after the block")
    }
    switch self {
    case .contentsOf: wait()
    case .contentsOfInThread, .semaphoreInThread: Thread.detachNewThread(wait)
    default: DispatchQueue.global().async(execute: wait)
    }
  }

  private func beginSleep(_ next: @escaping @Sendable (String) -> Void) {
    switch self {
    case .asyncAfter:
      DispatchQueue.global().asyncAfter(deadline: .now() + 40) { next("asyncAfter") }
    case .mainAsyncAfter:
      DispatchQueue.main.asyncAfter(wallDeadline: .now() + 40) { next("asyncAfter") }
    case .repeatedAsyncAfter: Self.repeatEverySecond(next)
    case .repeatedTaskSleep:
      Task {
        while !Task.isCancelled {
          try? await Task.sleep(nanoseconds: 1_000_000_000)
          next("second")
        }
      }
    default:
      Task {
        try? await Task.sleep(for: .seconds(40))
        next("after the sleep")
      }
    }
  }

  private static func repeatEverySecond(_ next: @escaping @Sendable (String) -> Void) {
    DispatchQueue.global().asyncAfter(deadline: .now() + 1) {
      next("second")
      repeatEverySecond(next)
    }
  }
}

/// An actor that serves all notifications of a process.
private actor Loader {
  func load(_ url: URL) async { _ = try? await URLSession.shared.data(from: url) }
}

/// A delegate that continues at each of its calls.
///
/// `@unchecked Sendable`: its property is constant.
private final class Delegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate,
  @unchecked Sendable
{
  private let next: @Sendable (String) -> Void

  init(_ next: @escaping @Sendable (String) -> Void) { self.next = next }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    next("data")
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask,
    didFinishDownloadingTo location: URL
  ) { next("file") }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) { next("completion") }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    next("invalid")
  }
}

/// A stub that answers late.
private final class LateProtocol: URLProtocol, @unchecked Sendable {
  // `@unchecked Sendable`: its properties are constant.

  override class func canInit(with request: URLRequest) -> Bool { true }

  override func startLoading() {
    DispatchQueue.global().asyncAfter(deadline: .now() + 40) {
      self.client?.urlProtocolDidFinishLoading(self)
    }
  }
}
