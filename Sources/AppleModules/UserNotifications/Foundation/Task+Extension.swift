import Synchronization

// The compiler prefers these declarations to those of the standard library. Tasks run on the executor of the extension's
// host and sleep on its clock, and a detached task keeps the environment of the extension that starts it.

extension Task where Failure == Never {
  /// Runs an operation as a new task of the current actor.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task; `nil` for the current one.
  ///   - operation: The operation.
  @discardableResult public init(
    priority: TaskPriority? = nil,
    @_inheritActorContext @_implicitSelfCapture
    operation: sending @escaping @isolated(any) () async -> Success
  ) {
    self.init(
      executorPreference: UNWorld.ofExtension?.executor, priority: priority, operation: operation)
  }

  /// Runs an operation as a new task that inherits nothing of the current one.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task.
  ///   - operation: The operation.
  /// - Returns: The task.
  @discardableResult public static func detached(
    priority: TaskPriority? = nil,
    operation: sending @escaping @isolated(any) () async -> Success
  ) -> Task<Success, Never> {
    guard let world = UNWorld.ofExtension else {
      return detached(name: nil, priority: priority, operation: operation)
    }
    return detached(executorPreference: world.executor, priority: priority) {
      await world.run { await operation() }
    }
  }
}

extension Task where Failure == any Error {
  /// Runs an operation that can throw as a new task of the current actor.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task; `nil` for the current one.
  ///   - operation: The operation.
  @discardableResult public init(
    priority: TaskPriority? = nil,
    @_inheritActorContext @_implicitSelfCapture
    operation: sending @escaping @isolated(any) () async throws -> Success
  ) {
    self.init(
      executorPreference: UNWorld.ofExtension?.executor, priority: priority, operation: operation)
  }

  /// Runs an operation that can throw as a new task that inherits nothing of the current one.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task.
  ///   - operation: The operation.
  /// - Returns: The task.
  @discardableResult public static func detached(
    priority: TaskPriority? = nil,
    operation: sending @escaping @isolated(any) () async throws -> Success
  ) -> Task<Success, any Error> {
    guard let world = UNWorld.ofExtension else {
      return detached(name: nil, priority: priority, operation: operation)
    }
    return detached(executorPreference: world.executor, priority: priority) {
      try await world.run { try await operation() }
    }
  }
}

extension Task where Success == Never, Failure == Never {
  /// Suspends the current task for a time.
  ///
  /// - Parameter duration: The time.
  /// - Throws: `CancellationError` if the task is canceled.
  public static func sleep(for duration: Duration) async throws {
    guard let schedule = UNWorld.ofExtension?.schedule else {
      return try await sleep(for: duration, clock: .continuous)
    }
    let sleep = VirtualSleep()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        sleep.begin(continuation) { schedule(duration, $0) }
      }
    } onCancel: {
      sleep.endSleep(isCanceled: true)
    }
    try checkCancellation()
  }

  /// Suspends the current task for a time in nanoseconds.
  ///
  /// - Parameter duration: The time in nanoseconds.
  /// - Throws: `CancellationError` if the task is canceled.
  public static func sleep(nanoseconds duration: UInt64) async throws {
    try await sleep(for: .nanoseconds(Int64(clamping: duration)))
  }
}

/// The sleep of one task on the clock of an extension's host.
private final class VirtualSleep: Sendable {
  private struct State: Sendable {
    var continuation: CheckedContinuation<Void, Never>?
    var cancel: (@Sendable () -> Void)?
    var isOver = false
  }
  private let state = Mutex(State())

  /// Starts the sleep, unless it has been canceled.
  func begin(
    _ continuation: CheckedContinuation<Void, Never>,
    schedule: (@escaping @Sendable () -> Void) -> @Sendable () -> Void
  ) {
    let isOver = state.withLock { state in
      if !state.isOver { state.continuation = continuation }
      return state.isOver
    }
    guard !isOver else { return continuation.resume() }
    let cancel = schedule { self.endSleep(isCanceled: false) }
    let isCanceled = state.withLock { state in
      if !state.isOver { state.cancel = cancel }
      return state.isOver
    }
    if isCanceled { cancel() }
  }

  func endSleep(isCanceled: Bool) {
    let before = state.withLock { state in
      defer { state = State(isOver: true) }
      return state
    }
    if isCanceled { before.cancel?() }
    before.continuation?.resume()
  }
}
