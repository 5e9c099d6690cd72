import Foundation
import Synchronization

/// The objects that the sessions of one extension share: tasks, cookies, caches and queues of handlers.
///
/// It ends with the extension's run, even if a static session outlives it.
final class URLSessionStore: Sendable {
  private struct WeakTask: Sendable {
    weak var task: URLSessionTask?
  }

  private struct State: Sendable {
    var tasks: [ObjectIdentifier: WeakTask] = [:]
    var queues: [ObjectIdentifier: URLCallbackQueue] = [:]
    var cookies: [UUID?: HTTPCookieStorage] = [:]
    var caches: [UUID?: URLCache] = [:]
  }

  private let state = Mutex(State())

  /// The cookies of a configuration that stores nothing; if `nil` is passed, the shared ones.
  func cookies(of configuration: UUID?) -> HTTPCookieStorage {
    state.withLock { state in
      let storage = state.cookies[configuration] ?? HTTPCookieStorage()
      state.cookies[configuration] = storage
      return storage
    }
  }

  /// The cache of a configuration that stores nothing; if `nil` is passed, the shared one.
  func cache(of configuration: UUID?) -> URLCache {
    state.withLock { state in
      let cache = state.caches[configuration] ?? URLCache()
      state.caches[configuration] = cache
      return cache
    }
  }

  /// The queue on which the handlers of a session are called one after the other.
  func queue(of session: URLSession) -> URLCallbackQueue {
    state.withLock { state in
      let queue = state.queues[ObjectIdentifier(session)] ?? URLCallbackQueue(session.givenQueue)
      state.queues[ObjectIdentifier(session)] = queue
      return queue
    }
  }

  func add(_ task: URLSessionTask) {
    state.withLock { $0.tasks[ObjectIdentifier(task)] = WeakTask(task: task) }
  }

  func remove(_ task: URLSessionTask) {
    state.withLock { _ = $0.tasks.removeValue(forKey: ObjectIdentifier(task)) }
  }

  /// The tasks of a session that have not completed, in the order of their creation.
  func tasks(of session: URLSession) -> [URLSessionTask] {
    let tasks = state.withLock { $0.tasks.values.compactMap(\.task) }
    return tasks.filter { $0.session === session && $0.state != .completed }
      .sorted { $0.taskIdentifier < $1.taskIdentifier }
  }
}
