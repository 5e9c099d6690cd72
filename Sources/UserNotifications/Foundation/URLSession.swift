public import Foundation

/// Foundation's `URLSession`, over the network of the extension's host.
///
/// It supports data and download tasks with completion handlers and their `async` forms. Redirects are
/// followed.
open class URLSession: NSObject, @unchecked Sendable {
  // `@unchecked Sendable`: the property is constant.

  /// The configuration of the session.
  public let configuration: URLSessionConfiguration
  /// The environment of the code that uses the session, because a static session outlives its first host.
  private var world: UNWorld { .currentOrLast }

  /// The shared session.
  open class var shared: URLSession { URLSession(configuration: .default) }

  /// Creates a session.
  ///
  /// - Parameter configuration: The configuration of the session.
  public init(configuration: URLSessionConfiguration) {
    self.configuration = configuration
  }

  /// Not available on Linux.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the session.
  ///   - delegate: The delegate.
  ///   - queue: The queue on which the delegate is called.
  @available(
    *, unavailable,
    message:
      "URLSession delegates are not available on Linux; use completion handlers or async methods."
  )
  public convenience init(
    configuration: URLSessionConfiguration, delegate: AnyObject?, delegateQueue queue: AnyObject?
  ) { self.init(configuration: configuration) }

  /// Creates a task that loads a response into memory.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - completionHandler: Receives the body and the response, or an error.
  /// - Returns: The task, which is suspended.
  @preconcurrency open func dataTask(
    with url: URL,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask {
    dataTask(with: URLRequest(url: url), completionHandler: completionHandler)
  }

  /// Creates a task that loads a response into memory.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - completionHandler: Receives the body and the response, or an error.
  /// - Returns: The task, which is suspended.
  @preconcurrency open func dataTask(
    with request: URLRequest,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask {
    URLSessionDataTask(exchange(request)) { result in
      switch result {
      case .success(let (head, body)): completionHandler(body, head, nil)
      case .failure(let error): completionHandler(nil, nil, error)
      }
    }
  }

  /// Creates a task that loads a response into a file, which is deleted when the handler returns.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - completionHandler: Receives the file, whose name ends in `.tmp`, and the response, or an error.
  /// - Returns: The task, which is suspended.
  @preconcurrency open func downloadTask(
    with url: URL,
    completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask {
    downloadTask(with: URLRequest(url: url), completionHandler: completionHandler)
  }

  /// Creates a task that loads a response into a file, which is deleted when the handler returns.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - completionHandler: Receives the file, whose name ends in `.tmp`, and the response, or an error.
  /// - Returns: The task, which is suspended.
  @preconcurrency open func downloadTask(
    with request: URLRequest,
    completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask {
    let folder = world.temporaryDirectory
    return URLSessionDownloadTask(exchange(request)) { result in
      switch result {
      case .success(let (head, body)):
        do {
          let file = try Self.write(body, in: folder)
          completionHandler(file, head, nil)
          try? FileManager.default.removeItem(at: file)
        } catch {
          completionHandler(nil, nil, error)
        }
      case .failure(let error): completionHandler(nil, nil, error)
      }
    }
  }

  static func write(_ body: Data, in folder: URL) throws(URLError) -> URL {
    let file = folder.appending(path: "CFNetworkDownload_\(UUID().uuidString.prefix(6)).tmp")
    guard (try? body.write(to: file)) != nil else { throw URLError(.cannotWriteToFile) }
    return file
  }

  /// Does nothing, because a session holds no resources on Linux.
  open func finishTasksAndInvalidate() {}

  /// Does nothing.
  ///
  /// Cancel the tasks individually.
  open func invalidateAndCancel() {}

  var folder: URL { world.temporaryDirectory }

  /// The exchange of a request, with the session's configuration applied.
  func exchange(_ request: URLRequest) -> URLSessionTask.Exchange {
    var request = request
    for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
      guard let name = name as? String, request.value(forHTTPHeaderField: name) == nil else {
        continue
      }
      request.setValue("\(value)", forHTTPHeaderField: name)
    }
    if !configuration.allowsConstrainedNetworkAccess {
      request.allowsConstrainedNetworkAccess = false
    }
    let lacksSharedContainer =
      configuration.identifier != nil && configuration.sharedContainerIdentifier == nil
    return URLSessionTask.Exchange(
      request: request, world: world,
      timeout: min(request.timeoutInterval, configuration.timeoutIntervalForRequest),
      refusal: lacksSharedContainer ? URLError(.backgroundSessionRequiresSharedContainer) : nil)
  }
}
