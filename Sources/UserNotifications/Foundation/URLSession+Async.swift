public import Foundation

extension URLSession {
  /// Loads a response into memory.
  ///
  /// - Parameter url: The URL.
  /// - Returns: The body and the response.
  /// - Throws: A `URLError`; `cancelled` if the task is canceled.
  public func data(from url: URL) async throws -> (Data, URLResponse) {
    try await data(for: URLRequest(url: url))
  }

  /// Loads a response into memory.
  ///
  /// - Parameter request: The request.
  /// - Returns: The body and the response.
  /// - Throws: A `URLError`; `cancelled` if the task is canceled.
  public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    let (head, body) = try await response(to: request)
    return (body, head)
  }

  /// Loads a response into a file, which the caller deletes.
  ///
  /// - Parameter url: The URL.
  /// - Returns: The file, whose name ends in `.tmp`, and the response.
  /// - Throws: A `URLError`; `cancelled` if the task is canceled.
  public func download(from url: URL) async throws -> (URL, URLResponse) {
    try await download(for: URLRequest(url: url))
  }

  /// Loads a response into a file, which the caller deletes.
  ///
  /// - Parameter request: The request.
  /// - Returns: The file, whose name ends in `.tmp`, and the response.
  /// - Throws: A `URLError`; `cancelled` if the task is canceled.
  public func download(for request: URLRequest) async throws -> (URL, URLResponse) {
    let (head, body) = try await response(to: request)
    return (try Self.write(body, in: folder), head)
  }

  private func response(to request: URLRequest) async throws -> (HTTPURLResponse, Data) {
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
