import CMicroHTTPD
import Glibc

// libmicrohttpd's callbacks. They run on its threads; the first argument is the daemon's
// `HTTPService`, and a request's context is its retained `Exchange`.

/// The request line is read: the only sight of the target before it is decoded.
func requestLineRead(
  _ context: UnsafeMutableRawPointer?, _ uri: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let uri = unsafe uri else { return nil }
  let exchange = Exchange(target: RequestTarget(unsafe String(cString: uri)))
  return unsafe Unmanaged.passRetained(exchange).toOpaque()
}

/// Called when the headers are read, for each piece of body, when the request is whole, and when
/// the connection wakes with an answer.
func requestContinued(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?,
  _ upload: UnsafePointer<CChar>?, _ uploadSize: UnsafeMutablePointer<Int>?,
  _ requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context = unsafe context, let connection = unsafe connection,
    let method = unsafe method, let version = unsafe version, let uploadSize = unsafe uploadSize,
    let raw = unsafe requestContext?.pointee
  else { return .NO }
  let service = unsafe Unmanaged<HTTPService>.fromOpaque(context).takeUnretainedValue()
  let exchange = unsafe Unmanaged<Exchange>.fromOpaque(raw).takeUnretainedValue()
  let id = unsafe connectionID(connection)

  let action: ExchangeMachine.Action
  if exchange.begins() {
    guard service.admit(exchange) else {
      return unsafe answer(.stopping, close: true, exchange, connection)
    }
    service.headEnded(id)
    action = unsafe exchange.headEnded(
      method: String(cString: method), version: String(cString: version),
      headers: requestHeaders(connection), remoteAddress: remoteAddress(connection),
      service: service)
  } else if unsafe uploadSize.pointee > 0 {
    let bytes = unsafe UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
    unsafe uploadSize.pointee = 0
    service.bodyCame(id, bytes: bytes.count)
    action = unsafe exchange.bodyCame(bytes, on: connection)
  } else {
    service.requestEnded(id)
    action = unsafe exchange.continued(connection, handler: service.handler)
  }

  switch action {
  case .proceed, .handle, .stream, .pass, .cutOff, .sleep: return .YES
  case .hangUp: return .NO
  case .answer(let response, let close):
    return unsafe answer(response, close: close, exchange, connection)
  }
}

/// The request is over, well or badly.
func exchangeCompleted(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ reason: MHD_RequestTerminationCode
) {
  guard let context = unsafe context, let connection = unsafe connection,
    let raw = unsafe requestContext?.pointee
  else { return }
  let service = unsafe Unmanaged<HTTPService>.fromOpaque(context).takeUnretainedValue()
  let exchange = unsafe Unmanaged<Exchange>.fromOpaque(raw).takeRetainedValue()
  unsafe requestContext?.pointee = nil
  unsafe service.completed(exchange, connection: connectionID(connection))
}

/// A connection opened, or is about to be closed.
func connectionChanged(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ socketContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ change: MHD_ConnectionNotificationCode
) {
  guard let context = unsafe context, let connection = unsafe connection,
    let socketContext = unsafe socketContext
  else { return }
  let service = unsafe Unmanaged<HTTPService>.fromOpaque(context).takeUnretainedValue()
  if change == .CONNECTION_NOTIFY_STARTED {
    let id = service.opened(socket: unsafe martlet_mhd_socket(connection))
    // The pointer is only a number to the library, and so it is one here.
    unsafe socketContext.pointee = UnsafeMutableRawPointer(bitPattern: id)
  } else {
    service.closed(Int(bitPattern: unsafe socketContext.pointee))
  }
}

private func connectionID(_ connection: OpaquePointer) -> Int {
  unsafe Int(bitPattern: martlet_mhd_socket_context(connection))
}

private func requestHeaders(_ connection: OpaquePointer) -> [(name: String, value: String)] {
  var headers: [(name: String, value: String)] = []
  unsafe withUnsafeMutablePointer(to: &headers) {
    _ = unsafe MHD_get_connection_values_n(connection, .HEADER_KIND, collectHeader, $0)
  }
  return headers
}

private func collectHeader(
  _ context: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?,
  _ nameSize: Int, _ value: UnsafePointer<CChar>?, _ valueSize: Int
) -> MHD_Result {
  let headers = unsafe context?.assumingMemoryBound(to: [(name: String, value: String)].self)
  unsafe headers?.pointee.append(
    (name: text(name, nameSize), value: value == nil ? "" : text(value, valueSize)))
  return .YES
}

private func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
  unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
}

private func remoteAddress(_ connection: OpaquePointer) -> String {
  guard let address = unsafe martlet_mhd_client_address(connection) else { return "" }
  guard unsafe Int32(address.pointee.sa_family) == AF_INET6 else {
    return unsafe UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self).sin_addr.text
  }
  // An interface may belong to it.
  let size = MemoryLayout<sockaddr_in6>.size
  return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { host in
    let failed = unsafe getnameinfo(
      address, socklen_t(size), host.baseAddress, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
    guard failed == 0, let name = host.baseAddress else { return "" }
    return unsafe String(cString: name)
  }
}

extension in_addr {
  /// `127.0.0.1`.
  fileprivate var text: String {
    unsafe withUnsafeBytes(of: s_addr) { bytes in
      unsafe bytes.map { String($0) }.joined(separator: ".")
    }
  }
}
