import CCurl
import Foundation
import MediaLoading
import Synchronization

/// The thread that drives libcurl's multi handle.
///
/// `@unchecked Sendable`: `multi` is touched by the thread of `run()` alone, but for
/// `curl_multi_wakeup`, which libcurl allows from any thread; `transfers` by that thread alone; what
/// other threads ask for lies in `inbox`, a mutex. The handle is freed in `deinit`, when the thread,
/// which holds this object, has ended.
@safe final class CurlLoop: @unchecked Sendable {
  struct Configuration: Sendable {
    var caFile: String?
    var hosts: [String: String] = [:]

    /// As libcurl takes them: name, port, address.
    func hostLines(for url: URL) -> [String] {
      guard let host = url.host(), let address = hosts[host] else { return [] }
      return ["\(host):\(url.port ?? (url.scheme?.lowercased() == "http" ? 80 : 443)):\(address)"]
    }
  }

  private enum Order {
    case start(UInt64, MediaRequest, any MediaSink)
    case cancel(UInt64)
    case stop
  }

  private struct Inbox {
    var orders: [Order] = []
    var lastNumber: UInt64 = 0
  }

  private let multi: UnsafeMutableRawPointer?
  private let configuration: Configuration
  private let inbox = Mutex(Inbox())
  private var transfers: [UInt64: CurlTransfer] = [:]

  init(_ configuration: Configuration) {
    // libcurl wants this once in a process before anything else; it counts further calls.
    _ = curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    unsafe multi = curl_multi_init()
    self.configuration = configuration
  }

  deinit { unsafe curl_multi_cleanup(multi) }

  func start(_ request: MediaRequest, _ sink: any MediaSink) -> UInt64 {
    let number = inbox.withLock { inbox in
      inbox.lastNumber += 1
      inbox.orders.append(.start(inbox.lastNumber, request, sink))
      return inbox.lastNumber
    }
    wake()
    return number
  }

  func cancel(_ number: UInt64) {
    inbox.withLock { $0.orders.append(.cancel(number)) }
    wake()
  }

  func stop() {
    inbox.withLock { $0.orders.append(.stop) }
    wake()
  }

  func run() {
    while takeOrders() {
      var running: Int32 = 0
      unsafe curl_multi_perform(multi, &running)
      finishDone()
      // Ends at once on `wake()`; libcurl shortens the wait to its own timers.
      unsafe curl_multi_poll(multi, nil, 0, 60_000, nil)
    }
  }

  private func wake() { unsafe curl_multi_wakeup(multi) }

  /// - Returns: Whether to go on.
  private func takeOrders() -> Bool {
    let orders = inbox.withLock { inbox in
      defer { inbox.orders = [] }
      return inbox.orders
    }
    for order in orders {
      switch order {
      case .start(let number, let request, let sink): begin(number, request, sink)
      case .cancel(let number):
        end(number, with: MediaLoadError(.canceled, "the load was canceled"))
      case .stop:
        for number in Array(transfers.keys) {
          end(number, with: MediaLoadError(.canceled, "the loader was closed"))
        }
        return false
      }
    }
    return true
  }

  private func begin(_ number: UInt64, _ request: MediaRequest, _ sink: any MediaSink) {
    if let refusal = request.refusal { return sink.finish(refusal) }
    guard let transfer = CurlTransfer(number, request, sink, configuration) else {
      return sink.finish(MediaLoadError(.network, "libcurl could not be set up"))
    }
    guard unsafe curl_multi_add_handle(multi, transfer.easy) == CURLM_OK else {
      return sink.finish(MediaLoadError(.network, "libcurl could not begin the transfer"))
    }
    transfers[number] = transfer
  }

  private func finishDone() {
    var result = CURLE_OK
    while let easy = unsafe martlet_curl_next_done(multi, &result) {
      guard let transfer = transfers.values.first(where: { unsafe $0.easy == easy }) else {
        continue
      }
      end(transfer.number, with: transfer.conclude(result))
    }
  }

  private func end(_ number: UInt64, with error: MediaLoadError?) {
    guard let transfer = transfers.removeValue(forKey: number) else { return }
    unsafe curl_multi_remove_handle(multi, transfer.easy)
    transfer.sink.finish(error)
  }
}
