public import Foundation
import Synchronization

extension URLSession {
  /// Loads a response into memory.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - delegate: The delegate of the task, which decides on redirects.
  /// - Returns: The body and the response.
  /// - Throws: A `URLError`; `cancelled` if the task is canceled.
  public func data(
    from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) {
    try await data(for: URLRequest(url: url), delegate: delegate)
  }

  /// Loads a response into memory.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - delegate: The delegate of the task, which decides on redirects.
  /// - Returns: The body and the response.
  /// - Throws: A `URLError`; `cancelled` if the task is canceled.
  public func data(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) {
    let (response, body) = try await response(to: request, delegate, URLSessionDataTask.self)
    return (body, response)
  }

  /// Sends a body and loads the response into memory.
  ///
  /// - Parameters:
  ///   - request: The request, whose own body is ignored.
  ///   - bodyData: The body.
  ///   - delegate: The delegate of the task, which decides on redirects.
  /// - Returns: The response's body and the response.
  /// - Throws: A `URLError`; `cancelled` if the task is canceled.
  public func upload(
    for request: URLRequest, from bodyData: Data, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) {
    let (response, body) = try await response(
      to: request, delegate, URLSessionUploadTask.self, body: bodyData)
    return (body, response)
  }

  /// Sends a file and loads the response into memory.
  ///
  /// - Parameters:
  ///   - request: The request, whose own body is ignored.
  ///   - fileURL: The file.
  ///   - delegate: The delegate of the task, which decides on redirects.
  /// - Returns: The response's body and the response.
  /// - Throws: A `URLError`; `cancelled` if the task is canceled. An error of the file if it cannot be read.
  public func upload(
    for request: URLRequest, fromFile fileURL: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) {
    try await upload(for: request, from: Data(contentsOf: fileURL), delegate: delegate)
  }

  /// Loads a response into a file, which the caller deletes.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - delegate: The delegate of the task, which decides on redirects.
  /// - Returns: The file, whose name ends in `.tmp`, and the response.
  /// - Throws: A `URLError`; `cancelled` if the task is canceled.
  public func download(
    from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (URL, URLResponse) {
    try await download(for: URLRequest(url: url), delegate: delegate)
  }

  /// Loads a response into a file, which the caller deletes.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - delegate: The delegate of the task, which decides on redirects.
  /// - Returns: The file, whose name ends in `.tmp`, and the response.
  /// - Throws: A `URLError`; `cancelled` if the task is canceled.
  public func download(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (URL, URLResponse) {
    let folder = UNWorld.currentOrLast.temporaryDirectory
    let (response, body) = try await response(to: request, delegate, URLSessionDownloadTask.self)
    return (try Self.write(body, in: folder), response)
  }

  private func response(
    to request: URLRequest, _ delegate: (any URLSessionTaskDelegate)?,
    _ kind: (some URLSessionTask).Type, body: Data? = nil
  ) async throws -> (URLResponse, Data) {
    let answer = Awaited<(URLResponse, Data)>()
    let task = task(with: request, output: .handler { answer.set($0) }, as: kind, body: body)
    task.delegate = delegate
    return try await withTaskCancellationHandler {
      task.resume()
      return try await answer.value
    } onCancel: {
      task.cancel()
    }
  }
}

/// A result that one task awaits.
final class Awaited<Value: Sendable>: Sendable {
  private struct State: Sendable {
    var result: Result<Value, any Error>?
    var continuation: CheckedContinuation<Value, any Error>?
  }

  private let state = Mutex(State())

  /// Sets the result, once.
  func set(_ result: Result<Value, any Error>) {
    let continuation = state.withLock { state in
      if state.result == nil { state.result = result }
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(with: result)
  }

  var value: Value {
    get async throws {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state in
          if state.result == nil { state.continuation = continuation }
          return state.result
        }
        if let result { continuation.resume(with: result) }
      }
    }
  }
}
