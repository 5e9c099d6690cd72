import CCurl
import Foundation

/// A client over libcurl, which checks the server's address before it connects.
package struct CurlClient: HTTPClient {
  private let startThread: BlockingThread.Start

  package init() {
    self.init(startThread: { try BlockingThread.start(named: "martlet.request", $0) })
  }

  init(startThread: @escaping BlockingThread.Start) { self.startThread = startThread }

  /// - Throws: ``CurlError`` if there is no response, or the address is private; ``ThreadError`` if the system has no
  ///   thread for the request.
  package func answer(to request: OutgoingRequest) async throws -> OutgoingRequest.Answer {
    try await withCheckedThrowingContinuation { continuation in
      do {
        try startThread { continuation.resume(with: Result { try Self.perform(request) }) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  private static func perform(_ request: OutgoingRequest) throws(CurlError)
    -> OutgoingRequest.Answer
  {
    let host = URL(string: request.url)?.host ?? ""
    let handle = CurlHandle(
      url: request.url, headerLines: request.fields.map { "\($0.name): \($0.value)" },
      guardian: AddressGuard { request.allowsPrivate(host, $0) })
    guard let handle else { throw CurlError(rawValue: CURLE_OUT_OF_MEMORY.rawValue) }
    handle.set(CURLOPT_TIMEOUT, Int(OutgoingRequest.timeLimit.components.seconds))
    let received = ReceivedBody(limit: request.bodyLimit)
    unsafe martlet_curl_set_write(
      handle.easy, receiveBody, Unmanaged.passUnretained(received).toOpaque())
    if let body = request.body { handle.post(body) }
    return try withExtendedLifetime((handle, received)) { () throws(CurlError) in
      let result = unsafe curl_easy_perform(handle.easy)
      guard result == CURLE_OK else { throw CurlError(rawValue: result.rawValue) }
      return OutgoingRequest.Answer(
        status: unsafe martlet_curl_status(handle.easy), body: received.bytes)
    }
  }
}

/// The start of a body that is arriving; only the thread of its request uses it.
private final class ReceivedBody {
  private(set) var bytes: [UInt8] = []
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  func append(_ more: UnsafeRawBufferPointer) {
    unsafe bytes.append(contentsOf: more.prefix(limit - bytes.count))
  }
}

/// The callback `CURLOPT_WRITEFUNCTION`.
private func receiveBody(
  bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
  guard let context = unsafe context else { return 0 }
  let received = unsafe Unmanaged<ReceivedBody>.fromOpaque(context).takeUnretainedValue()
  unsafe received.append(UnsafeRawBufferPointer(start: bytes, count: size * count))
  return size * count
}
