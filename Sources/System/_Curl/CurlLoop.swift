import CCurl
import Foundation
import MediaLoading
import Synchronization

/// The event loop that drives libcurl's multi handle on its own thread.
///
/// `@unchecked Sendable`: `multi` and `transfers` are accessed only on the thread of `run()`, except for
/// `curl_multi_wakeup`, which libcurl allows on any thread. Other threads add commands to `inbox`, which is a
/// mutex. The handle is freed in `deinit`, after the thread, which retains this object, has ended.
@safe final class CurlLoop: @unchecked Sendable {
  struct Configuration: Sendable {
    var caFile: String?
    var hosts: [String: String] = [:]

    /// The entries of `CURLOPT_RESOLVE` for a URL: name, port, address.
    func hostLines(for url: URL) -> [String] {
      guard let host = url.host(), let address = hosts[host] else { return [] }
      return ["\(host):\(url.port ?? (url.scheme?.lowercased() == "http" ? 80 : 443)):\(address)"]
    }
  }

  private enum Command {
    case start(UInt64, MediaRequest, any MediaSink)
    case cancel(UInt64)
    case stop
  }

  private struct Inbox {
    var commands: [Command] = []
    var lastNumber: UInt64 = 0
  }

  private let multi: UnsafeMutableRawPointer?
  private let configuration: Configuration
  private let inbox = Mutex(Inbox())
  private var transfers: [UInt64: CurlTransfer] = [:]

  init(_ configuration: Configuration) {
    // libcurl needs this call before any other; it counts further calls.
    _ = curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    unsafe multi = curl_multi_init()
    self.configuration = configuration
  }

  deinit { unsafe curl_multi_cleanup(multi) }

  func start(_ request: MediaRequest, _ sink: any MediaSink) -> UInt64 {
    let number = inbox.withLock { inbox in
      inbox.lastNumber += 1
      inbox.commands.append(.start(inbox.lastNumber, request, sink))
      return inbox.lastNumber
    }
    wake()
    return number
  }

  func cancel(_ number: UInt64) {
    inbox.withLock { $0.commands.append(.cancel(number)) }
    wake()
  }

  func stop() {
    inbox.withLock { $0.commands.append(.stop) }
    wake()
  }

  func run() {
    while performCommands() {
      var running: Int32 = 0
      unsafe curl_multi_perform(multi, &running)
      finishDone()
      // Returns at once on `wake()`; libcurl shortens the timeout to that of its own timers.
      unsafe curl_multi_poll(multi, nil, 0, 60_000, nil)
    }
  }

  private func wake() { unsafe curl_multi_wakeup(multi) }

  /// Performs the commands of other threads.
  ///
  /// - Returns: Whether to continue the loop.
  private func performCommands() -> Bool {
    let commands = inbox.withLock { inbox in
      defer { inbox.commands = [] }
      return inbox.commands
    }
    for command in commands {
      switch command {
      case .start(let number, let request, let sink):
        begin(request, into: sink, number: number)
      case .cancel(let number):
        endTransfer(number, with: MediaLoadError(.canceled, "the load was canceled"))
      case .stop:
        for number in Array(transfers.keys) {
          endTransfer(number, with: MediaLoadError(.canceled, "the loader was closed"))
        }
        return false
      }
    }
    return true
  }

  private func begin(_ request: MediaRequest, into sink: any MediaSink, number: UInt64) {
    if let refusal = request.refusal { return sink.finish(refusal) }
    let transfer = CurlTransfer(
      request, into: sink, number: number, configuration: configuration)
    guard let transfer else {
      return sink.finish(MediaLoadError(.network, "libcurl could not be set up"))
    }
    guard unsafe curl_multi_add_handle(multi, transfer.handle.easy) == CURLM_OK else {
      return sink.finish(MediaLoadError(.network, "libcurl could not start the transfer"))
    }
    transfers[number] = transfer
  }

  private func finishDone() {
    var result = CURLE_OK
    while let easy = unsafe martlet_curl_next_done(multi, &result) {
      guard let transfer = transfers.values.first(where: { unsafe $0.handle.easy == easy }) else {
        continue
      }
      endTransfer(transfer.number, with: transfer.conclude(result))
    }
  }

  private func endTransfer(_ number: UInt64, with error: MediaLoadError?) {
    guard let transfer = transfers.removeValue(forKey: number) else { return }
    unsafe curl_multi_remove_handle(multi, transfer.handle.easy)
    transfer.sink.finish(error)
  }
}
