public import Foundation

extension URLSession {
  /// Creates a task that sends a body and loads the response into memory.
  ///
  /// - Parameters:
  ///   - request: The request, whose own body is ignored.
  ///   - bodyData: The body.
  ///   - completionHandler: Receives the response's body and the response, or an error.
  /// - Returns: The task, which is suspended.
  @preconcurrency public func uploadTask(
    with request: URLRequest, from bodyData: Data?,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionUploadTask {
    task(with: request, output: .data(completionHandler), body: bodyData)
  }

  /// Creates a task that sends a file and loads the response into memory.
  ///
  /// - Parameters:
  ///   - request: The request, whose own body is ignored.
  ///   - fileURL: The file; one that cannot be read is sent as an empty body.
  ///   - completionHandler: Receives the response's body and the response, or an error.
  /// - Returns: The task, which is suspended.
  @preconcurrency public func uploadTask(
    with request: URLRequest, fromFile fileURL: URL,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionUploadTask {
    uploadTask(
      with: request, from: try? Data(contentsOf: fileURL), completionHandler: completionHandler)
  }

  /// Creates a task that sends a body and passes the response to the delegate.
  ///
  /// - Parameters:
  ///   - request: The request, whose own body is ignored.
  ///   - bodyData: The body.
  /// - Returns: The task, which is suspended.
  public func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
    task(with: request, output: .delegate, body: bodyData)
  }

  /// Creates a task that sends a file and passes the response to the delegate.
  ///
  /// - Parameters:
  ///   - request: The request, whose own body is ignored.
  ///   - fileURL: The file; one that cannot be read is sent as an empty body.
  /// - Returns: The task, which is suspended.
  public func uploadTask(
    with request: URLRequest, fromFile fileURL: URL
  ) -> URLSessionUploadTask {
    task(with: request, output: .delegate, body: try? Data(contentsOf: fileURL))
  }

  /// Creates a task that sends the request's stream and passes the response to the delegate.
  ///
  /// - Parameter request: The request with a body or a stream.
  /// - Returns: The task, which is suspended.
  public func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
    task(with: request, output: .delegate)
  }
}

extension URLSessionTask.Output {
  /// The output to a handler of a data task.
  static func data(
    _ handler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> Self {
    .handler { result in
      switch result {
      case .success(let (response, body)): handler(body, response, nil)
      case .failure(let error): handler(nil, nil, error)
      }
    }
  }

  /// The output to a handler of a download task.
  static func file(
    in folder: URL, _ handler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> Self {
    .handler { result in
      do {
        let (response, body) = try result.get()
        let file = try URLSession.write(body, in: folder)
        handler(file, response, nil)
        try? FileManager.default.removeItem(at: file)
      } catch {
        handler(nil, nil, error)
      }
    }
  }
}

extension URLSession {
  /// Writes a body to a file as the system names it.
  static func write(_ body: Data, in folder: URL) throws(URLError) -> URL {
    let file = folder.appending(path: "CFNetworkDownload_\(UUID().uuidString.prefix(6)).tmp")
    guard (try? body.write(to: file)) != nil else { throw URLError(.cannotWriteToFile) }
    return file
  }
}
