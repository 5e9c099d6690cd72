public import Foundation

extension URLSession {
  /// Gathers an answer in memory.
  ///
  /// - Parameter url: Where to.
  /// - Returns: The body and the head.
  /// - Throws: A `URLError`; where the task is canceled, `cancelled`.
  public func data(from url: URL) async throws -> (Data, URLResponse) {
    try await data(for: URLRequest(url: url))
  }

  /// Gathers an answer in memory.
  ///
  /// - Parameter request: What to ask.
  /// - Returns: The body and the head.
  /// - Throws: A `URLError`; where the task is canceled, `cancelled`.
  public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    let (head, body) = try await answer(to: request)
    return (body, head)
  }

  /// Gathers an answer in a file, which the caller deletes.
  ///
  /// - Parameter url: Where to.
  /// - Returns: The file, which ends in `.tmp`, and the head.
  /// - Throws: A `URLError`; where the task is canceled, `cancelled`.
  public func download(from url: URL) async throws -> (URL, URLResponse) {
    try await download(for: URLRequest(url: url))
  }

  /// Gathers an answer in a file, which the caller deletes.
  ///
  /// - Parameter request: What to ask.
  /// - Returns: The file, which ends in `.tmp`, and the head.
  /// - Throws: A `URLError`; where the task is canceled, `cancelled`.
  public func download(for request: URLRequest) async throws -> (URL, URLResponse) {
    let (head, body) = try await answer(to: request)
    return (try Self.write(body, in: folder), head)
  }

  private func answer(to request: URLRequest) async throws -> (HTTPURLResponse, Data) {
    let task = URLSessionTask(exchange(request))
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        task.start { continuation.resume(with: $0) }
      }
    } onCancel: {
      task.cancel()
    }
  }
}
