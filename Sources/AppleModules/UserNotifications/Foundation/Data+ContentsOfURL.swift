import Dispatch
public import Foundation
@_spi(SwiftCorelibsFoundation) import FoundationEssentials
import Synchronization

// Foundation loads web URLs with FoundationNetworking, over the real network, and traps without it. These load them over
// the network of the extension's host.

extension Data {
  /// Loads a URL that is not a file, for `Data(contentsOf:)` and `String(contentsOf:encoding:)`.
  @_dynamicReplacement(for:init(_contentsOfRemote:options:))
  init(_contentsOfHost url: URL, options: Data.ReadingOptions) throws {
    self = try UNWorld.currentOrLast.contents(of: url)
  }
}

/// Loads a file, or a web URL over the network of the extension's host, in place of the initializer of `NSData`.
///
/// - Parameter url: The URL.
/// - Returns: The bytes; `nil` if they cannot be loaded.
public func NSData(contentsOf url: URL) -> Foundation.NSData? {
  (try? Data(contentsOf: url)).map { Foundation.NSData(data: $0) }
}

extension UNWorld {
  /// Loads a URL, and blocks the calling thread until the load ends.
  ///
  /// Code outside an extension has no network.
  fileprivate func contents(of url: URL) throws -> Data {
    let answer = Mutex<Result<(URLResponse, Data), any Error>?>(nil)
    let isAnswered = DispatchSemaphore(value: 0)
    run {
      // A session of its own, because the calling code may be a handler of another one.
      let session = URLSession(configuration: .default)
      let task: URLSessionDataTask = session.task(
        with: URLRequest(url: url),
        output: .handler { result in
          answer.withLock { $0 = result }
          isAnswered.signal()
        })
      task.resume()
    }
    isAnswered.wait()
    guard let (response, body) = try answer.withLock({ $0 })?.get(),
      let head = response as? HTTPURLResponse
    else { throw URLError(.badServerResponse) }
    // Foundation on Linux returns the body only for these statuses.
    guard head.statusCode < 400 || [401, 407].contains(head.statusCode) else {
      throw CocoaError(.fileReadUnknown, userInfo: [NSURLErrorKey: url])
    }
    return body
  }
}
