public import Foundation

/// Apple's `MessageAuthenticationCode`, a code that shows who sent a message.
///
/// Source: Apple, `MessageAuthenticationCode`.
public protocol MessageAuthenticationCode: ContiguousBytes, CustomStringConvertible, Hashable,
  Sequence<UInt8>
{
  /// The length in bytes.
  var byteCount: Int { get }
}

/// Apple's `HashedAuthenticationCode`, a code that is made with a hash function.
///
/// Source: Apple, `HashedAuthenticationCode`.
public struct HashedAuthenticationCode<H: HashFunction>: MessageAuthenticationCode, Sendable {
  fileprivate let code: [UInt8]

  init(_ code: [UInt8]) { self.code = code }

  /// The length in bytes.
  public var byteCount: Int { code.count }

  /// The name of the hash function and the code in hexadecimal.
  public var description: String { "HMAC with \(H.self): \(hex(code))" }

  /// Calls a closure with the bytes.
  ///
  /// - Parameter body: The closure.
  /// - Returns: The closure's result.
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try unsafe code.withUnsafeBytes(body)
  }

  /// Returns an iterator over the bytes.
  ///
  /// - Returns: The iterator.
  public func makeIterator() -> Array<UInt8>.Iterator { code.makeIterator() }

  /// Whether two codes are the same, compared in constant time.
  ///
  /// - Parameters:
  ///   - left: One code.
  ///   - right: The other one.
  /// - Returns: Whether they are.
  public static func == (left: Self, right: Self) -> Bool { isEqual(left.code, right.code) }

  /// Whether a code has the same bytes, compared in constant time.
  ///
  /// - Parameters:
  ///   - left: The code.
  ///   - right: The bytes.
  /// - Returns: Whether they are the same.
  public static func == <D: DataProtocol>(left: Self, right: D) -> Bool {
    isEqual(left.code, Array(right))
  }
}

/// Apple's `HMAC`, a message authentication code made with a hash function (RFC 2104).
///
/// Source: Apple, `HMAC`.
public struct HMAC<H: HashFunction>: Sendable {
  /// The type of the key.
  public typealias Key = SymmetricKey
  /// The type of the code.
  public typealias MAC = HashedAuthenticationCode<H>

  private var inner = H()
  private var outer = H()

  /// Creates the code of no bytes.
  ///
  /// - Parameter key: The key.
  public init(key: SymmetricKey) {
    var block = key.bytes
    if block.count > H.blockByteCount { block = Array(H.hash(data: block)) }
    block += [UInt8](repeating: 0, count: H.blockByteCount - block.count)
    inner.update(data: block.map { $0 ^ 0x36 })
    outer.update(data: block.map { $0 ^ 0x5C })
  }

  /// Adds bytes.
  ///
  /// - Parameter data: The bytes.
  public mutating func update<D: DataProtocol>(data: D) { inner.update(data: data) }

  /// Computes the code of all bytes that were added.
  ///
  /// - Returns: The code.
  public func finalize() -> MAC {
    var outer = outer
    outer.update(data: Array(inner.finalize()))
    return MAC(Array(outer.finalize()))
  }

  /// Computes the code of a message.
  ///
  /// - Parameters:
  ///   - data: The message.
  ///   - key: The key.
  /// - Returns: The code.
  public static func authenticationCode<D: DataProtocol>(
    for data: D, using key: SymmetricKey
  ) -> MAC {
    var code = HMAC(key: key)
    code.update(data: data)
    return code.finalize()
  }

  /// Verifies the authentication code of a message.
  ///
  /// - Parameters:
  ///   - authenticationCode: The code.
  ///   - authenticatedData: The message.
  ///   - key: The key.
  /// - Returns: Whether the code is that of the message.
  public static func isValidAuthenticationCode<D: DataProtocol>(
    _ authenticationCode: MAC, authenticating authenticatedData: D, using key: SymmetricKey
  ) -> Bool { self.authenticationCode(for: authenticatedData, using: key) == authenticationCode }

  /// Returns whether bytes are the code of a message.
  ///
  /// - Parameters:
  ///   - authenticationCode: The bytes.
  ///   - authenticatedData: The message.
  ///   - key: The key.
  /// - Returns: Whether they are.
  public static func isValidAuthenticationCode<C: ContiguousBytes, D: DataProtocol>(
    _ authenticationCode: C, authenticating authenticatedData: D, using key: SymmetricKey
  ) -> Bool {
    isEqual(
      self.authenticationCode(for: authenticatedData, using: key).code, authenticationCode.bytes)
  }
}
