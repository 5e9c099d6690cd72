import Foundation

extension URLSession {
  /// The tasks that have not completed.
  public var allTasks: [URLSessionTask] {
    get async { UNWorld.currentOrLast.sessions.tasks(of: self) }
  }

  /// The data, upload and download tasks that have not completed.
  ///
  /// An upload task is not among the data tasks.
  public var tasks: ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) {
    get async { sortedTasks }
  }

  /// Passes the tasks that have not completed to a handler.
  ///
  /// - Parameter completionHandler: Receives the tasks on the delegate queue.
  @preconcurrency public func getAllTasks(
    completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void
  ) {
    let tasks = UNWorld.currentOrLast.sessions.tasks(of: self)
    call { completionHandler(tasks) }
  }

  /// Passes the data, upload and download tasks that have not completed to a handler.
  ///
  /// - Parameter completionHandler: Receives the tasks on the delegate queue.
  @preconcurrency public func getTasksWithCompletionHandler(
    _ completionHandler:
      @escaping @Sendable (
        [URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]
      ) -> Void
  ) {
    let (data, uploads, downloads) = sortedTasks
    call { completionHandler(data, uploads, downloads) }
  }

  /// Calls a handler, and nothing else: Linux has no connections to close.
  ///
  /// - Parameter completionHandler: Called on the delegate queue.
  @preconcurrency public func flush(completionHandler: @escaping @Sendable () -> Void) {
    call(completionHandler)
  }

  /// Does nothing, because Linux has no connections to close.
  public func flush() async {}

  /// Empties the session's cookies and cache.
  ///
  /// - Parameter completionHandler: Called on the delegate queue.
  @preconcurrency public func reset(completionHandler: @escaping @Sendable () -> Void) {
    empty()
    call(completionHandler)
  }

  /// Empties the session's cookies and cache.
  public func reset() async { empty() }

  private func empty() {
    settings.httpCookieStorage?.removeCookies(since: .distantPast)
    settings.urlCache?.removeAllCachedResponses()
  }

  private func call(_ handler: @escaping @Sendable () -> Void) {
    let world = UNWorld.currentOrLast
    world.sessions.queue(of: self).add(in: world, handler)
  }

  private var sortedTasks: ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask])
  {
    let tasks = UNWorld.currentOrLast.sessions.tasks(of: self)
    return (
      tasks.compactMap { $0 is URLSessionUploadTask ? nil : $0 as? URLSessionDataTask },
      tasks.compactMap { $0 as? URLSessionUploadTask },
      tasks.compactMap { $0 as? URLSessionDownloadTask }
    )
  }
}
