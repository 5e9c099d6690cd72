import _OpenSSLCrypto

/// The state behind a `CCCryptorRef`: the cipher, and the bytes that wait for the rest of their block.
final class BlockCryptor {
  private static let block = OpenSSLBlockCipher.blockByteCount

  private let mode: OpenSSLBlockCipher.Mode
  private let key: [UInt8]
  private let encrypts: Bool
  private let pads: Bool
  private var cipher: OpenSSLBlockCipher
  private var waiting: [UInt8] = []
  /// The output of the last step, which is made once, since the step changes the state of the cipher.
  private var last: [UInt8]?

  init?(
    _ mode: OpenSSLBlockCipher.Mode, key: [UInt8], iv: [UInt8]?, encrypts: Bool, pads: Bool
  ) {
    guard let cipher = Self.cipher(mode, key: key, iv: iv, encrypts: encrypts) else { return nil }
    (self.mode, self.key, self.encrypts, self.pads) = (mode, key, encrypts, pads && mode != .ctr)
    self.cipher = cipher
  }

  private static func cipher(
    _ mode: OpenSSLBlockCipher.Mode, key: [UInt8], iv: [UInt8]?, encrypts: Bool
  ) -> OpenSSLBlockCipher? {
    let iv = iv ?? [UInt8](repeating: 0, count: block)
    return OpenSSLBlockCipher(mode, key: key, iv: iv, encrypts: encrypts)
  }

  /// Begins again with another initialization vector.
  func reset(iv: [UInt8]?) {
    (waiting, last) = ([], nil)
    if let fresh = Self.cipher(mode, key: key, iv: iv, encrypts: encrypts) { cipher = fresh }
  }

  /// The length of the output of so many further bytes, in the last step or before it.
  func outputLength(adding count: Int, isFinal: Bool) -> Int {
    if mode == .ctr { return count }
    let total = waiting.count + count
    guard pads else { return total / Self.block * Self.block }
    switch (encrypts, isFinal) {
    case (true, true): return (total / Self.block + 1) * Self.block
    case (true, false): return total / Self.block * Self.block
    case (false, true): return total
    // The last block may have the padding.
    case (false, false): return max(0, total - 1) / Self.block * Self.block
    }
  }

  /// Takes bytes, and returns the output of the blocks that are whole.
  func update(_ bytes: [UInt8]) -> [UInt8] {
    let count = outputLength(adding: bytes.count, isFinal: false)
    waiting += bytes
    defer { waiting.removeFirst(count) }
    return cipher.update(Array(waiting[..<count]))
  }

  /// The output of the last step; `nil` if the bytes are no whole number of blocks.
  ///
  /// As Apple's library does, it removes a block with invalid padding without a word, so that nobody can use the error
  /// as an oracle.
  func finish() -> [UInt8]? {
    if last == nil { last = lastOutput() }
    return last
  }

  private func lastOutput() -> [UInt8]? {
    guard mode != .ctr else { return [] }
    guard pads else { return waiting.isEmpty ? [] : nil }
    if encrypts {
      let count = Self.block - waiting.count
      return cipher.update(waiting + [UInt8](repeating: UInt8(count), count: count))
    }
    guard waiting.count == Self.block else { return nil }
    let output = cipher.update(waiting)
    let count = output.last.map(Int.init) ?? 0
    guard (1...Self.block).contains(count), output.suffix(count).allSatisfy({ $0 == output.last })
    else { return [] }
    return Array(output.dropLast(count))
  }
}
