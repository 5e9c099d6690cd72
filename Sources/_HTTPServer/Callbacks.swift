import CMicroHTTPD
import Glibc

// libmicrohttpd's callbacks, which run on its threads. `context` is the daemon's `HTTPService`, and
// `requestContext` is the request's retained `Exchange`.

/// Called when the request line is read: the only callback that gets the target undecoded.
func requestLineRead(
  context: UnsafeMutableRawPointer?, uri: UnsafePointer<CChar>?, connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let uri = unsafe uri else { return nil }
  let exchange = Exchange(target: RequestTarget(unsafe String(cString: uri)))
  return unsafe Unmanaged.passRetained(exchange).toOpaque()
}

/// Called when the headers are read, for each piece of the body, when the request is complete, and
/// when the connection is resumed with an answer.
func requestContinued(
  context: UnsafeMutableRawPointer?, connection: OpaquePointer?, url: UnsafePointer<CChar>?,
  method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?,
  upload: UnsafePointer<CChar>?, uploadSize: UnsafeMutablePointer<Int>?,
  requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context = unsafe context, let connection = unsafe connection,
    let method = unsafe method, let version = unsafe version, let uploadSize = unsafe uploadSize,
    let raw = unsafe requestContext?.pointee
  else { return .NO }
  let service = unsafe Unmanaged<HTTPService>.fromOpaque(context).takeUnretainedValue()
  let exchange = unsafe Unmanaged<Exchange>.fromOpaque(raw).takeUnretainedValue()
  let id = unsafe connectionID(connection)

  let action: ExchangeMachine.Action
  if exchange.begin() {
    guard service.admit(exchange) else {
      return unsafe queue(.stopping, of: exchange, on: connection, close: true)
    }
    service.receivedHead(id)
    action = unsafe exchange.receivedHead(
      method: String(cString: method), version: String(cString: version),
      headers: requestHeaders(connection), remoteAddress: remoteAddress(connection),
      service: service)
  } else if unsafe uploadSize.pointee > 0 {
    let bytes = unsafe UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
    unsafe uploadSize.pointee = 0
    service.receivedBody(id, bytes: bytes.count)
    action = unsafe exchange.receivedBody(bytes, on: connection)
  } else {
    service.receivedEnd(id)
    action = unsafe exchange.receivedEndOrResumed(connection, handler: service.handler)
  }

  switch action {
  case .proceed, .handle, .stream, .pass, .failBody, .suspend: return .YES
  case .disconnect: return .NO
  case .respond(let response, let close):
    return unsafe queue(response, of: exchange, on: connection, close: close)
  }
}

/// Called when the request has ended, with an answer or by an error.
func exchangeCompleted(
  context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
  requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  reason: MHD_RequestTerminationCode
) {
  guard let context = unsafe context, let connection = unsafe connection,
    let raw = unsafe requestContext?.pointee
  else { return }
  let service = unsafe Unmanaged<HTTPService>.fromOpaque(context).takeUnretainedValue()
  let exchange = unsafe Unmanaged<Exchange>.fromOpaque(raw).takeRetainedValue()
  unsafe requestContext?.pointee = nil
  unsafe service.completed(exchange, connection: connectionID(connection))
}

/// Called when a connection has opened, and before it is closed.
func connectionChanged(
  context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
  socketContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  change: MHD_ConnectionNotificationCode
) {
  guard let context = unsafe context, let connection = unsafe connection,
    let socketContext = unsafe socketContext
  else { return }
  let service = unsafe Unmanaged<HTTPService>.fromOpaque(context).takeUnretainedValue()
  if change == .CONNECTION_NOTIFY_STARTED {
    let id = service.opened(socket: unsafe martlet_mhd_socket(connection))
    // The library never follows this pointer, so it holds our number of the connection.
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
  context: UnsafeMutableRawPointer?, kind: MHD_ValueKind, name: UnsafePointer<CChar>?,
  nameSize: Int, value: UnsafePointer<CChar>?, valueSize: Int
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
  // A link-local address has an interface, which `getnameinfo` appends.
  let size = MemoryLayout<sockaddr_in6>.size
  return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { host in
    let failed = unsafe getnameinfo(
      address, socklen_t(size), host.baseAddress, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
    guard failed == 0, let name = host.baseAddress else { return "" }
    return unsafe String(cString: name)
  }
}

extension in_addr {
  /// The address in dotted decimal, such as `127.0.0.1`.
  fileprivate var text: String {
    unsafe withUnsafeBytes(of: s_addr) { bytes in
      unsafe bytes.map { String($0) }.joined(separator: ".")
    }
  }
}
