extension Console {
  /// Runs a body, whose task SIGTERM and SIGINT cancel.
  ///
  /// - Throws: ``CommandFailure`` where a signal came before the end, once the body has ended; else what
  ///   the body throws.
  func cancelledBySignals<T: Sendable>(
    _ body: @escaping @Sendable () async throws -> T
  ) async throws -> T {
    let work = Task { try await body() }
    let signals = Task {
      await untilTerminated()
      // Cancelled where the body ended first.
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
