import CCurl
import Glibc
import MediaLoading

/// A check of the address of every connection before libcurl makes or reuses it, which refuses private
/// addresses.
@safe final class AddressGuard {
  private let allowsPrivate: Bool
  /// Whether the last connection was refused because of a private address.
  private(set) var hasRefused = false

  init(allowsPrivate: Bool) { self.allowsPrivate = allowsPrivate }

  /// Sets the callbacks of an easy handle, whose owner must keep this object as long as the handle.
  func install(on easy: UnsafeMutableRawPointer) {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe martlet_curl_set_open_socket(easy, openSocket, context)
    // Loads share connections, and another load may have been allowed to make this one.
    unsafe martlet_curl_set_before_request(easy, beforeRequest, context)
  }

  fileprivate func allowsConnection(isPrivate: Bool) -> Bool {
    let isAllowed = allowsPrivate || !isPrivate
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
  let isPrivate = PrivateAddress.contains(unsafe bytes(of: target))
  guard guardian.allowsConnection(isPrivate: isPrivate) else { return -1 }
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
  let isPrivate = PrivateAddress.contains(unsafe String(cString: server))
  return guardian.allowsConnection(isPrivate: isPrivate)
    ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

/// The bytes of an IP address; empty for any other address family.
private func bytes(of target: UnsafeMutablePointer<curl_sockaddr>) -> [UInt8] {
  guard let address = unsafe UnsafeRawPointer(martlet_curl_address(target)) else { return [] }
  switch unsafe target.pointee.family {
  case AF_INET:
    var own = unsafe address.loadUnaligned(as: sockaddr_in.self).sin_addr
    return unsafe withUnsafeBytes(of: &own) { unsafe Array($0) }
  case AF_INET6:
    var own = unsafe address.loadUnaligned(as: sockaddr_in6.self).sin6_addr
    return unsafe withUnsafeBytes(of: &own) { unsafe Array($0) }
  default: return []
  }
}
