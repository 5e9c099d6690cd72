import CCurl
import Glibc
import MediaLoading

/// A check of the address of every connection before libcurl makes or reuses it, which refuses private
/// addresses.
@safe final class AddressGuard {
  private let allowsPrivate: (_ address: String) -> Bool
  /// Whether the last connection was refused because of a private address.
  private(set) var hasRefused = false

  /// Makes a guard that asks whether each private address may be connected to.
  init(allowsPrivate: @escaping (_ address: String) -> Bool) { self.allowsPrivate = allowsPrivate }

  /// Sets the callbacks of an easy handle, whose owner must keep this object as long as the handle.
  func install(on easy: UnsafeMutableRawPointer) {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe martlet_curl_set_open_socket(easy, openSocket, context)
    // Loads share connections, and another load may have been allowed to make this one.
    unsafe martlet_curl_set_before_request(easy, beforeRequest, context)
  }

  fileprivate func allowsConnection(to address: String) -> Bool {
    let isAllowed = !PrivateAddress.contains(address) || allowsPrivate(address)
    hasRefused = !isAllowed
    return isAllowed
  }
}

/// The callback `CURLOPT_OPENSOCKETFUNCTION`.
private func openSocket(
  context: UnsafeMutableRawPointer?, purpose: curlsocktype,
  target: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let context = unsafe context, let target = unsafe target else { return -1 }
  let guardian = unsafe Unmanaged<AddressGuard>.fromOpaque(context).takeUnretainedValue()
  guard let address = unsafe numericHost(of: target), guardian.allowsConnection(to: address) else {
    return -1
  }
  let (family, type) = unsafe (target.pointee.family, target.pointee.socktype)
  return socket(
    family, type | Int32(SOCK_CLOEXEC.rawValue), unsafe target.pointee.`protocol`)
}

/// The callback `CURLOPT_PREREQFUNCTION`.
private func beforeRequest(
  context: UnsafeMutableRawPointer?, server: UnsafeMutablePointer<CChar>?,
  local: UnsafeMutablePointer<CChar>?, serverPort: Int32, localPort: Int32
) -> Int32 {
  guard let context = unsafe context, let server = unsafe server else {
    return CURL_PREREQFUNC_ABORT
  }
  let guardian = unsafe Unmanaged<AddressGuard>.fromOpaque(context).takeUnretainedValue()
  return guardian.allowsConnection(to: unsafe String(cString: server))
    ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

/// An IP address as a number; `nil` if the address family is another one.
private func numericHost(of target: UnsafeMutablePointer<curl_sockaddr>) -> String? {
  guard let address = unsafe martlet_curl_address(target) else { return nil }
  let isIPv6 = unsafe target.pointee.family == AF_INET6
  guard unsafe isIPv6 || target.pointee.family == AF_INET else { return nil }
  let length = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
  return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { text in
    let failed = unsafe getnameinfo(
      address.assumingMemoryBound(to: sockaddr.self), socklen_t(length), text.baseAddress,
      socklen_t(text.count), nil, 0, NI_NUMERICHOST)
    guard failed == 0, let start = text.baseAddress else { return nil }
    return unsafe String(cString: start)
  }
}
