public import Foundation

extension URLSession {
  /// Loads a response whose bytes are read while they arrive.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - delegate: The delegate of the task, which decides on redirects.
  /// - Returns: The bytes, and the response.
  /// - Throws: A `URLError`; `cancelled` if the task is canceled.
  public func bytes(
    from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (AsyncBytes, URLResponse) {
    try await bytes(for: URLRequest(url: url), delegate: delegate)
  }

  /// Loads a response whose bytes are read while they arrive.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - delegate: The delegate of the task, which decides on redirects.
  /// - Returns: The bytes, and the response.
  /// - Throws: A `URLError`; `cancelled` if the task is canceled.
  public func bytes(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (AsyncBytes, URLResponse) {
    let head = Awaited<URLResponse>()
    let (pieces, continuation) = AsyncThrowingStream.makeStream(of: Data.self)
    let task: URLSessionDataTask = task(
      with: request,
      output: .events { event in
        switch event {
        case .response(let response): head.set(.success(response))
        case .data(let data): continuation.yield(data)
        case .end(let error):
          head.set(.failure(error ?? URLError(.badServerResponse)))
          continuation.finish(throwing: error)
        case .redirect: break
        }
      })
    task.delegate = delegate
    continuation.onTermination = { _ in task.cancel() }
    let response = try await withTaskCancellationHandler {
      task.resume()
      return try await head.value
    } onCancel: {
      task.cancel()
    }
    return (AsyncBytes(task: task, pieces), response)
  }

  /// The bytes of a response.
  public struct AsyncBytes: AsyncSequence, Sendable {
    /// A byte.
    public typealias Element = UInt8

    /// The task that loads the response.
    public let task: URLSessionDataTask
    private let pieces: AsyncThrowingStream<Data, any Error>

    init(task: URLSessionDataTask, _ pieces: AsyncThrowingStream<Data, any Error>) {
      self.task = task
      self.pieces = pieces
    }

    /// Creates the iterator.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> Iterator {
      Iterator(pieces: pieces.makeAsyncIterator())
    }

    /// The lines of the body as UTF-8 text, without their ends.
    ///
    /// As Apple's, it leaves out empty lines.
    public var lines: AsyncLines { AsyncLines(bytes: self) }

    /// The iterator of the bytes.
    public struct Iterator: AsyncIteratorProtocol {
      var pieces: AsyncThrowingStream<Data, any Error>.Iterator
      private var piece = Data().makeIterator()

      init(pieces: AsyncThrowingStream<Data, any Error>.Iterator) { self.pieces = pieces }

      /// The next byte; `nil` at the end.
      ///
      /// - Parameter actor: The actor of the calling code.
      /// - Returns: The byte.
      /// - Throws: A `URLError` if the load fails.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws(any Error) -> UInt8? {
        while true {
          if let byte = piece.next() { return byte }
          guard let next = try await pieces.next(isolation: actor) else { return nil }
          piece = next.makeIterator()
        }
      }
    }
  }

  /// The lines of a response.
  public struct AsyncLines: AsyncSequence, Sendable {
    /// A line without its end.
    public typealias Element = String

    let bytes: AsyncBytes

    /// Creates the iterator.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(bytes: bytes.makeAsyncIterator()) }

    /// The iterator of the lines.
    public struct Iterator: AsyncIteratorProtocol {
      var bytes: AsyncBytes.Iterator

      /// The next line that is not empty; `nil` at the end.
      ///
      /// - Parameter actor: The actor of the calling code.
      /// - Returns: The line.
      /// - Throws: A `URLError` if the load fails.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws(any Error) -> String? {
        var line: [UInt8] = []
        while let byte = try await bytes.next(isolation: actor) {
          // LF, VT, FF and CR.
          guard (0x0A...0x0D).contains(byte) else {
            line.append(byte)
            continue
          }
          if !line.isEmpty { return String(decoding: line, as: UTF8.self) }
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
      }
    }
  }
}
