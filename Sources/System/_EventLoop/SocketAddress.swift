import CLinux
import Foundation
import Glibc

/// An IPv4 or IPv6 address with a port.
package struct SocketAddress: Sendable {
  private var storage = sockaddr_storage()
  private var length: socklen_t

  /// Makes an address that a C function writes; `nil` if the function does not return 0.
  init?(_ fill: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) {
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = unsafe withUnsafeMutableBytes(of: &storage) { bytes in
      guard let base = bytes.baseAddress else { return Int32(-1) }
      return unsafe fill(base.assumingMemoryBound(to: sockaddr.self), &size)
    }
    length = size
    if result != 0 { return nil }
  }

  var family: Int32 { Int32(storage.ss_family) }

  /// The TCP port.
  package var port: UInt16 {
    unsafe withUnsafeBytes(of: storage) { bytes in
      // In both families the port follows the two bytes of the family, in network byte order.
      UInt16(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
    }
  }

  /// The address as a number, such as `127.0.0.1`, `::1` or `fe80::1%eth0`; `nil` if the family is not IPv4 or IPv6.
  ///
  /// An IPv4 address that was mapped to IPv6 is returned as IPv4 (RFC 4291 section 2.5.5.2).
  var numericHost: String? {
    let host = unsafe withPointer { address, length in
      unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { text in
        let failed = unsafe getnameinfo(
          address, length, text.baseAddress, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        guard failed == 0, let start = text.baseAddress else { return nil as String? }
        return unsafe String(cString: start)
      }
    }
    guard let host, host.hasPrefix("::ffff:"), host.contains(".") else { return host }
    return String(host.dropFirst(7))
  }

  func withPointer<T>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> T) -> T {
    var copy = storage
    return unsafe withUnsafeMutablePointer(to: &copy) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
    }
  }

  /// Resolves a host name on a separate thread, because a look-up may block for a long time.
  ///
  /// It is not `async`, because a continuation is resumed by the shared thread pool, for which an event loop must not
  /// wait.
  ///
  /// - Parameters:
  ///   - host: The host name or address.
  ///   - port: The port of the addresses.
  ///   - found: Called on that thread with at least one address, in the system's order of preference, or with a
  ///     ``SystemError`` if the name is unknown.
  package static func resolve(
    host: String, port: UInt16,
    _ found: @escaping @Sendable (Result<[SocketAddress], any Error>) -> Void
  ) {
    Thread.detachNewThread { found(Result { try lookUp(host: host, port: port) }) }
  }

  /// Resolves a host name and blocks the calling thread.
  package static func lookUp(host: String, port: UInt16) throws(SystemError) -> [SocketAddress] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let result = unsafe getaddrinfo(host, String(port), &hints, &list)
    guard result == 0 else {
      throw SystemError("look-up of \(host)", text: unsafe String(cString: gai_strerror(result)))
    }
    defer { unsafe freeaddrinfo(list) }
    var found: [SocketAddress] = []
    var next = unsafe list
    while let entry = unsafe next?.pointee {
      let address = unsafe SocketAddress { destination, size in
        guard let source = unsafe entry.ai_addr, unsafe entry.ai_addrlen <= size.pointee else {
          return -1
        }
        unsafe memcpy(destination, source, Int(entry.ai_addrlen))
        unsafe size.pointee = entry.ai_addrlen
        return 0
      }
      if let address { found.append(address) }
      unsafe next = entry.ai_next
    }
    guard !found.isEmpty else { throw SystemError("look-up of \(host)", text: "no address") }
    return found
  }
}
