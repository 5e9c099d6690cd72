import CCurl
import Glibc
import MediaLoading

/// Sees the address of every connection before it is made, or used again, and refuses a private one.
@safe final class AddressGuard {
  private let allowsPrivate: Bool
  /// Whether a private address is why there is no connection.
  private(set) var hasRefused = false

  init(allowsPrivate: Bool) { self.allowsPrivate = allowsPrivate }

  /// Unretained: the owner of the handle keeps this object as long as the handle.
  func watch(_ easy: UnsafeMutableRawPointer) {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe martlet_curl_set_open_socket(easy, openSocket, context)
    // The loader's loads share connections, and another may have been allowed this one.
    unsafe martlet_curl_set_before_request(easy, beforeRequest, context)
  }

  fileprivate func allows(_ isPrivate: Bool) -> Bool {
    let isAllowed = allowsPrivate || !isPrivate
    hasRefused = !isAllowed
    return isAllowed
  }
}

private func openSocket(
  _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
  _ target: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let context = unsafe context, let target = unsafe target else { return -1 }
  let guardian = unsafe Unmanaged<AddressGuard>.fromOpaque(context).takeUnretainedValue()
  guard guardian.allows(PrivateAddress.contains(unsafe bytes(of: target))) else { return -1 }
  let (family, type) = unsafe (target.pointee.family, target.pointee.socktype)
  return socket(
    family, type | Int32(SOCK_CLOEXEC.rawValue), unsafe target.pointee.`protocol`)
}

private func beforeRequest(
  _ context: UnsafeMutableRawPointer?, _ server: UnsafeMutablePointer<CChar>?,
  _ own: UnsafeMutablePointer<CChar>?, _ serverPort: Int32, _ ownPort: Int32
) -> Int32 {
  guard let context = unsafe context, let server = unsafe server else {
    return CURL_PREREQFUNC_ABORT
  }
  let guardian = unsafe Unmanaged<AddressGuard>.fromOpaque(context).takeUnretainedValue()
  let isAllowed = guardian.allows(PrivateAddress.contains(unsafe String(cString: server)))
  return isAllowed ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

/// The address's own bytes, none where the family is neither of IP's.
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
