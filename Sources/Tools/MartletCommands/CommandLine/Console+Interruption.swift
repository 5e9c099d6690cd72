extension Console {
  /// Runs a body in a task that SIGTERM and SIGINT cancel.
  ///
  /// - Throws: ``CommandFailure`` if a signal arrived before the body ended, thrown after that end;
  ///   otherwise the error of the body.
  func cancelledBySignals<T: Sendable>(
    _ body: @escaping @Sendable () async throws -> T
  ) async throws -> T {
    let work = Task { try await body() }
    let signals = Task {
      await untilTerminated()
      // The task is cancelled if the body ended first.
      guard !Task.isCancelled else { return }
      work.cancel()
    }
    defer { signals.cancel() }
    do {
      return try await work.value
    } catch {
      guard work.isCancelled else { throw error }
      throw CommandFailure("interrupted; nothing was made", cause: error)
    }
  }
}
