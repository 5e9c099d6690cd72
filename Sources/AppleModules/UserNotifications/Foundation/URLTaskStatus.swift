import Foundation

/// The state of a ``URLSessionTask``.
struct URLTaskStatus: Sendable {
  var state = URLSessionTask.State.suspended
  var isStarted = false
  var request: URLRequest
  /// The body of an upload task, or the bytes that were read from the request's stream.
  var body: Data?
  var response: URLResponse?
  var error: (any Error)?
  /// The received body, unless it is passed on.
  var data = Data()
  var received: Int64 = 0
  var sent: Int64 = 0
  var redirects = 0
  /// The decision of the delegate that is awaited; `nil` if no decision is awaited.
  var decision: Int?
  var lastDecision = 0

  /// The events that were not processed yet.
  var events: [URLLoadEvent] = []
  /// Whether a thread processes events.
  var isProcessing = false
  /// The number of the load, so that the events of earlier ones are ignored.
  var load = 0
  /// Whether redirects of the load are followed.
  var followsRedirects = true
  /// Cancels the load.
  var stopLoad: (@Sendable () -> Void)?
  /// Cancels the timer of the whole transfer.
  var stopTimer: (@Sendable () -> Void)?

  var delegate: (any URLSessionTaskDelegate)?
  var description: String?
  var priority = URLSessionTask.defaultPriority
  var earliestBeginDate: Date?

  init(_ request: URLRequest, body: Data?) {
    self.request = request
    self.body = body
  }

  /// Takes the next event, if the task is not suspended and no decision is awaited.
  mutating func nextEvent() -> URLLoadEvent? {
    guard state == .running || state == .canceling, decision == nil, !events.isEmpty else {
      isProcessing = false
      return nil
    }
    return events.removeFirst()
  }

  /// Begins a load, and returns the closure that cancels the previous one.
  mutating func beginLoad(_ request: URLRequest, followsRedirects: Bool) -> (
    @Sendable () -> Void
  )? {
    load += 1
    self.request = request
    self.followsRedirects = followsRedirects
    (events, decision) = ([], nil)
    defer { stopLoad = nil }
    return stopLoad
  }

  /// Ends the load with an error, and returns closures that cancel its work in progress.
  mutating func endLoad(with error: URLError) -> [@Sendable () -> Void] {
    load += 1
    (events, decision) = ([.end(error)], nil)
    defer { (stopLoad, stopTimer) = (nil, nil) }
    return [stopLoad, stopTimer].compactMap(\.self)
  }
}
