public import Foundation

/// Foundation's `URLSession`, answered by the host that runs the extension.
///
/// Data and download tasks with a completion handler, and their `async` forms. Redirects are followed.
/// Nothing leaves the machine unless the host's network is a real one.
open class URLSession: NSObject, @unchecked Sendable {
  // `@unchecked Sendable`: every property is constant.

  /// The settings it was made with.
  public let configuration: URLSessionConfiguration
  private let world: UNWorld

  /// The session of code that makes none.
  open class var shared: URLSession { URLSession(configuration: .default) }

  /// Makes a session.
  ///
  /// - Parameter configuration: Its settings.
  public init(configuration: URLSessionConfiguration) {
    self.configuration = configuration
    world = .currentOrLast
  }

  /// Not here.
  ///
  /// - Parameters:
  ///   - configuration: Its settings.
  ///   - delegate: Its delegate.
  ///   - queue: Where the delegate is called.
  @available(
    *, unavailable,
    message: "On Linux use completion handlers or async: delegates are Apple's alone."
  )
  public convenience init(
    configuration: URLSessionConfiguration, delegate: AnyObject?, delegateQueue queue: AnyObject?
  ) { self.init(configuration: configuration) }

  /// Makes a task that gathers an answer in memory.
  ///
  /// - Parameters:
  ///   - url: Where to.
  ///   - completionHandler: Receives the body and the head, or an error.
  /// - Returns: The task, to be resumed.
  @preconcurrency open func dataTask(
    with url: URL,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask {
    dataTask(with: URLRequest(url: url), completionHandler: completionHandler)
  }

  /// Makes a task that gathers an answer in memory.
  ///
  /// - Parameters:
  ///   - request: What to ask.
  ///   - completionHandler: Receives the body and the head, or an error.
  /// - Returns: The task, to be resumed.
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

  /// Makes a task that gathers an answer in a file, gone when the handler returns.
  ///
  /// - Parameters:
  ///   - url: Where to.
  ///   - completionHandler: Receives the file, which ends in `.tmp`, and the head, or an error.
  /// - Returns: The task, to be resumed.
  @preconcurrency open func downloadTask(
    with url: URL,
    completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask {
    downloadTask(with: URLRequest(url: url), completionHandler: completionHandler)
  }

  /// Makes a task that gathers an answer in a file, gone when the handler returns.
  ///
  /// - Parameters:
  ///   - request: What to ask.
  ///   - completionHandler: Receives the file, which ends in `.tmp`, and the head, or an error.
  /// - Returns: The task, to be resumed.
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

  /// Lets what is under way end, and takes nothing new; here nothing is kept that would have to end.
  open func finishTasksAndInvalidate() {}

  /// Like ``finishTasksAndInvalidate()``: tasks are canceled one by one.
  open func invalidateAndCancel() {}

  var folder: URL { world.temporaryDirectory }

  /// How a task asks the world, with the session's settings.
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
    let isHomeless =
      configuration.identifier != nil && configuration.sharedContainerIdentifier == nil
    return URLSessionTask.Exchange(
      request: request, world: world,
      timeout: min(request.timeoutInterval, configuration.timeoutIntervalForRequest),
      refusal: isHomeless ? URLError(.backgroundSessionRequiresSharedContainer) : nil)
  }
}
