public import Foundation
import Synchronization

/// Foundation's `URLCache`, which on Linux has only the responses that the code stores in it.
///
/// A session never stores a response in it. It takes a response from it for the cache policies `returnCacheDataElseLoad`
/// and `returnCacheDataDontLoad`.
open class URLCache: NSObject, @unchecked Sendable {
  // `@unchecked Sendable`: the state is protected by a lock, and the other properties are constant.

  private let stored = Mutex<[URL: CachedURLResponse]>([:])
  /// The size that the memory may have; not a limit on Linux.
  public let memoryCapacity: Int
  /// The size that the disk may have; not a limit on Linux, where everything is in memory.
  public let diskCapacity: Int

  /// Creates a cache.
  ///
  /// - Parameters:
  ///   - memoryCapacity: Not a limit on Linux.
  ///   - diskCapacity: Not a limit on Linux.
  ///   - directory: Unused.
  public init(memoryCapacity: Int = 0, diskCapacity: Int = 0, directory: URL? = nil) {
    self.memoryCapacity = memoryCapacity
    self.diskCapacity = diskCapacity
  }

  /// Creates a cache.
  ///
  /// - Parameters:
  ///   - memoryCapacity: Not a limit on Linux.
  ///   - diskCapacity: Not a limit on Linux.
  ///   - path: Unused.
  public convenience init(memoryCapacity: Int, diskCapacity: Int, diskPath path: String?) {
    self.init(memoryCapacity: memoryCapacity, diskCapacity: diskCapacity)
  }

  /// The cache of the extension, which ends with its run.
  open class var shared: URLCache { UNWorld.currentOrLast.sessions.cache(of: nil) }

  /// The stored response of a request's URL.
  ///
  /// - Parameter request: The request.
  /// - Returns: The response; `nil` if none is stored for the request.
  open func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
    request.url.flatMap { url in stored.withLock { $0[url] } }
  }

  /// Stores a response under a request's URL.
  ///
  /// - Parameters:
  ///   - cachedResponse: The response.
  ///   - request: The request.
  open func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
    guard let url = request.url else { return }
    stored.withLock { $0[url] = cachedResponse }
  }

  /// Removes the response of a request's URL.
  ///
  /// - Parameter request: The request.
  open func removeCachedResponse(for request: URLRequest) {
    guard let url = request.url else { return }
    stored.withLock { $0[url] = nil }
  }

  /// Removes all responses.
  open func removeAllCachedResponses() { stored.withLock { $0 = [:] } }
}

/// Foundation's `CachedURLResponse`.
open class CachedURLResponse: NSObject, @unchecked Sendable {
  // `@unchecked Sendable`: every property is constant.

  /// The response.
  public let response: URLResponse
  /// The body.
  public let data: Data

  /// Creates a response for a cache.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - data: The body.
  public init(response: URLResponse, data: Data) {
    self.response = response
    self.data = data
  }
}
