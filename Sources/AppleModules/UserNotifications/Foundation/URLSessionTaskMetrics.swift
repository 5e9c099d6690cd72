public import Foundation

/// Foundation's `URLSessionTaskMetrics`; on Linux only the number of redirects has a value.
open class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
  // `@unchecked Sendable`: every property is constant.

  /// The metrics of each request; empty on Linux.
  public var transactionMetrics: [URLSessionTaskTransactionMetrics] {
    notModelled("URLSessionTaskMetrics.transactionMetrics", "requests are not measured")
    return []
  }
  /// The time of the task; an empty interval on Linux.
  public var taskInterval: DateInterval {
    notModelled("URLSessionTaskMetrics.taskInterval", "tasks are not measured")
    return DateInterval()
  }
  /// The number of redirects.
  public let redirectCount: Int

  init(redirectCount: Int) { self.redirectCount = redirectCount }
}

/// Foundation's `URLSessionTaskTransactionMetrics`, which has no values on Linux.
open class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
  // `@unchecked Sendable`: every property is constant.

  /// The request.
  public let request: URLRequest
  /// The response; `nil` on Linux.
  public let response: URLResponse? = nil
  /// The start of the fetch; `nil` on Linux.
  public let fetchStartDate: Date? = nil
  /// The end of the response; `nil` on Linux.
  public let responseEndDate: Date? = nil
  /// The name of the network protocol; `nil` on Linux.
  public let networkProtocolName: String? = nil
  /// Whether a connection was reused; `false` on Linux.
  public let isReusedConnection = false

  init(request: URLRequest) { self.request = request }
}
