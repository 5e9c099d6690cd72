package import Foundation
import MediaLoading
package import RichNotifications

/// The log of one push on its phone: what has happened so far, in order.
package struct PushLog: Sendable {
  /// An event of the push, with its time since the push arrived.
  package enum Event: Sendable {
    /// The extension began to run.
    case began(at: Duration)
    /// The host or the engine decided something.
    case decided(TraceEvent)
    /// The extension sent the request with this index.
    case requested(Int)
    /// The head of the response to the request with this index arrived.
    case answered(Int, status: Int, at: Duration)
    /// The load of the request with this index ended.
    case ended(Int, at: Duration)
  }

  package internal(set) var message: PushMessage
  /// The clock's time at which the push arrived, since which all other times of the log are.
  package let start: Duration
  /// The app group's container, which has the media of templates; `nil` if the app has no group.
  package let appGroup: URL?
  package private(set) var events: [Event] = []
  /// The extension's requests in order.
  package private(set) var requests: [ExtensionRequest] = []
  /// The result; `nil` while the push is on its way.
  package internal(set) var report: DeliveryReport?

  init(_ message: PushMessage, start: Duration, appGroup: URL?) {
    self.message = message
    self.start = start
    self.appGroup = appGroup
  }

  /// The decisions of the host and the engine in order.
  package var decisions: [TraceEvent] {
    events.compactMap { event in
      guard case .decided(let decision) = event else { return nil }
      return decision
    }
  }

  mutating func add(_ event: Event) { events.append(event) }

  /// Adds a request.
  ///
  /// - Returns: The index of the request.
  mutating func send(_ request: MediaRequest, at time: Duration) -> Int {
    requests.append(ExtensionRequest(request, sent: time))
    events.append(.requested(requests.count - 1))
    return requests.count - 1
  }

  mutating func answer(_ request: Int, _ head: MediaResponseHead, at time: Duration) {
    requests[request].status = head.status
    requests[request].responseHeaders = head.headers
    requests[request].answered = time
    events.append(.answered(request, status: head.status, at: time))
  }

  mutating func receive(_ request: Int, bytes: Int) { requests[request].receivedBytes += bytes }

  mutating func end(_ request: Int, _ error: MediaLoadError?, at time: Duration) {
    if let error, error.code != .refused { requests[request].error = error.message }
    requests[request].ended = time
    events.append(.ended(request, at: time))
  }
}
