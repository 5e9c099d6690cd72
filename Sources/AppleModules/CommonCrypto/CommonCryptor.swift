// swift-format-ignore-file: AlwaysUseLowerCamelCase

@_spi(Host) import UserNotifications
import _OpenSSLCrypto

// The names and parameters are Apple's: "CommonCryptor.h". Errors come in the order of Apple's published CommonCrypto.

/// Apple's `CCCryptorRef`, an encryption or decryption in steps.
public typealias CCCryptorRef = OpaquePointer

/// Encrypts or decrypts bytes with AES in one step (NIST SP 800-38A).
///
/// - Parameters:
///   - op: `kCCEncrypt` or `kCCDecrypt`.
///   - alg: `kCCAlgorithmAES`.
///   - options: Options such as `kCCOptionPKCS7Padding`.
///   - key: The key.
///   - keyLength: The length of the key: 16, 24 or 32 bytes.
///   - iv: The initialization vector, 16 bytes; `nil` for zeros.
///   - dataIn: The input.
///   - dataInLength: The length of the input in bytes.
///   - dataOut: The memory for the output.
///   - dataOutAvailable: The length of that memory in bytes.
///   - dataOutMoved: Receives the length of the output, or the length that is needed if the memory is too small.
/// - Returns: `kCCSuccess`, `kCCParamError`, `kCCKeySizeError`, `kCCBufferTooSmall`, `kCCAlignmentError`, or
///   `kCCUnimplemented` for
///   another cipher. Invalid padding is no error: its block is removed.
@discardableResult public func CCCrypt(
  _ op: CCOperation, _ alg: CCAlgorithm, _ options: CCOptions, _ key: UnsafeRawPointer?,
  _ keyLength: Int, _ iv: UnsafeRawPointer?, _ dataIn: UnsafeRawPointer?, _ dataInLength: Int,
  _ dataOut: UnsafeMutableRawPointer?, _ dataOutAvailable: Int,
  _ dataOutMoved: UnsafeMutablePointer<Int>?
) -> CCCryptorStatus {
  let isECB = options & CCOptions(kCCOptionECBMode) != 0
  let made = unsafe makeCryptor(
    op, isECB ? CCMode(kCCModeECB) : CCMode(kCCModeCBC), alg,
    CCPadding(options & CCOptions(kCCOptionPKCS7Padding)), key: bytes(key, keyLength), iv: iv)
  guard case .success(let cryptor) = made else { return made.status }
  guard dataInLength >= 0 else { return CCCryptorStatus(kCCParamError) }
  let needed = cryptor.outputLength(adding: dataInLength, isFinal: true)
  unsafe dataOutMoved?.pointee = needed
  guard needed <= dataOutAvailable else { return CCCryptorStatus(kCCBufferTooSmall) }
  let output = cryptor.update(unsafe Array(bytes(dataIn, dataInLength)))
  unsafe dataOutMoved?.pointee = 0
  guard let last = cryptor.finish() else { return CCCryptorStatus(kCCAlignmentError) }
  return unsafe write(output + last, to: dataOut, dataOutAvailable, dataOutMoved)
}

/// Begins an encryption or decryption in the mode ECB or CBC.
///
/// - Parameters:
///   - op: `kCCEncrypt` or `kCCDecrypt`.
///   - alg: `kCCAlgorithmAES`.
///   - options: Options such as `kCCOptionPKCS7Padding`.
///   - key: The key.
///   - keyLength: The length of the key: 16, 24 or 32 bytes.
///   - iv: The initialization vector, 16 bytes; `nil` for zeros.
///   - cryptorRef: Receives the cryptor, which ``CCCryptorRelease(_:)`` frees.
/// - Returns: `kCCSuccess`, `kCCParamError`, `kCCKeySizeError`, or `kCCUnimplemented` for another cipher.
@discardableResult public func CCCryptorCreate(
  _ op: CCOperation, _ alg: CCAlgorithm, _ options: CCOptions, _ key: UnsafeRawPointer?,
  _ keyLength: Int, _ iv: UnsafeRawPointer?, _ cryptorRef: UnsafeMutablePointer<CCCryptorRef?>?
) -> CCCryptorStatus {
  let isECB = options & CCOptions(kCCOptionECBMode) != 0
  return unsafe CCCryptorCreateWithMode(
    op, isECB ? CCMode(kCCModeECB) : CCMode(kCCModeCBC), alg,
    CCPadding(options & CCOptions(kCCOptionPKCS7Padding)), iv, key, keyLength, nil, 0, 0, 0,
    cryptorRef)
}

/// Begins an encryption or decryption in the mode ECB, CBC or CTR.
///
/// - Parameters:
///   - op: `kCCEncrypt` or `kCCDecrypt`.
///   - mode: `kCCModeECB`, `kCCModeCBC` or `kCCModeCTR`.
///   - alg: `kCCAlgorithmAES`.
///   - padding: `ccNoPadding` or `ccPKCS7Padding`.
///   - iv: The initialization vector, 16 bytes; `nil` for zeros.
///   - key: The key.
///   - keyLength: The length of the key: 16, 24 or 32 bytes.
///   - tweak: Unused.
///   - tweakLength: Unused.
///   - numRounds: Unused.
///   - options: Unused.
///   - cryptorRef: Receives the cryptor, which ``CCCryptorRelease(_:)`` frees.
/// - Returns: `kCCSuccess`, `kCCParamError`, `kCCKeySizeError`, or `kCCUnimplemented` for another cipher or mode.
@discardableResult public func CCCryptorCreateWithMode(
  _ op: CCOperation, _ mode: CCMode, _ alg: CCAlgorithm, _ padding: CCPadding,
  _ iv: UnsafeRawPointer?, _ key: UnsafeRawPointer?, _ keyLength: Int,
  _ tweak: UnsafeRawPointer?, _ tweakLength: Int, _ numRounds: Int32, _ options: CCModeOptions,
  _ cryptorRef: UnsafeMutablePointer<CCCryptorRef?>?
) -> CCCryptorStatus {
  guard let cryptorRef = unsafe cryptorRef else { return CCCryptorStatus(kCCParamError) }
  let made = unsafe makeCryptor(op, mode, alg, padding, key: bytes(key, keyLength), iv: iv)
  unsafe cryptorRef.pointee = nil
  if case .success(let cryptor) = made {
    unsafe cryptorRef.pointee = CCCryptorRef(Unmanaged.passRetained(cryptor).toOpaque())
  }
  return made.status
}

/// Encrypts or decrypts further bytes.
///
/// - Parameters:
///   - cryptorRef: The cryptor.
///   - dataIn: The input.
///   - dataInLength: The length of the input in bytes.
///   - dataOut: The memory for the output of all blocks that are whole.
///   - dataOutAvailable: The length of that memory in bytes.
///   - dataOutMoved: Receives the length of the output, or the length that is needed if the memory is too small.
/// - Returns: `kCCSuccess`, `kCCParamError` or `kCCBufferTooSmall`, after which the call can be repeated.
@discardableResult public func CCCryptorUpdate(
  _ cryptorRef: CCCryptorRef?, _ dataIn: UnsafeRawPointer?, _ dataInLength: Int,
  _ dataOut: UnsafeMutableRawPointer?, _ dataOutAvailable: Int,
  _ dataOutMoved: UnsafeMutablePointer<Int>?
) -> CCCryptorStatus {
  guard let cryptor = unsafe cryptor(cryptorRef), dataInLength >= 0 else {
    return CCCryptorStatus(kCCParamError)
  }
  let needed = cryptor.outputLength(adding: dataInLength, isFinal: false)
  unsafe dataOutMoved?.pointee = needed
  guard needed <= dataOutAvailable else { return CCCryptorStatus(kCCBufferTooSmall) }
  let output = cryptor.update(unsafe Array(bytes(dataIn, dataInLength)))
  return unsafe write(output, to: dataOut, dataOutAvailable, dataOutMoved)
}

/// Ends an encryption or decryption.
///
/// - Parameters:
///   - cryptorRef: The cryptor.
///   - dataOut: The memory for the rest of the output.
///   - dataOutAvailable: The length of that memory in bytes.
///   - dataOutMoved: Receives the length of the rest.
/// - Returns: `kCCSuccess`, `kCCBufferTooSmall`, or `kCCAlignmentError` for an input that is no whole number of blocks.
@discardableResult public func CCCryptorFinal(
  _ cryptorRef: CCCryptorRef?, _ dataOut: UnsafeMutableRawPointer?, _ dataOutAvailable: Int,
  _ dataOutMoved: UnsafeMutablePointer<Int>?
) -> CCCryptorStatus {
  unsafe dataOutMoved?.pointee = 0
  guard let cryptor = unsafe cryptor(cryptorRef) else { return CCCryptorStatus(kCCSuccess) }
  guard let last = cryptor.finish() else { return CCCryptorStatus(kCCAlignmentError) }
  return unsafe write(last, to: dataOut, dataOutAvailable, dataOutMoved)
}

/// The length of the output for a length of input.
///
/// - Parameters:
///   - cryptorRef: The cryptor.
///   - inputLength: The length of the further input in bytes.
///   - final: Whether the output of ``CCCryptorFinal(_:_:_:_:)`` is included.
/// - Returns: The length in bytes.
public func CCCryptorGetOutputLength(
  _ cryptorRef: CCCryptorRef?, _ inputLength: Int, _ final: Bool
) -> Int {
  unsafe cryptor(cryptorRef)?.outputLength(adding: inputLength, isFinal: final) ?? kCCParamError
}

/// Begins again with the same key and another initialization vector.
///
/// - Parameters:
///   - cryptorRef: The cryptor.
///   - iv: The initialization vector, 16 bytes; `nil` for zeros.
/// - Returns: `kCCSuccess` or `kCCParamError`.
@discardableResult public func CCCryptorReset(
  _ cryptorRef: CCCryptorRef?, _ iv: UnsafeRawPointer?
) -> CCCryptorStatus {
  guard let cryptor = unsafe cryptor(cryptorRef) else { return CCCryptorStatus(kCCParamError) }
  unsafe cryptor.reset(iv: vector(iv))
  return CCCryptorStatus(kCCSuccess)
}

/// Frees a cryptor.
///
/// - Parameter cryptorRef: The cryptor.
/// - Returns: `kCCSuccess`.
@discardableResult public func CCCryptorRelease(_ cryptorRef: CCCryptorRef?) -> CCCryptorStatus {
  if let cryptorRef = unsafe cryptorRef {
    unsafe Unmanaged<BlockCryptor>.fromOpaque(UnsafeRawPointer(cryptorRef)).release()
  }
  return CCCryptorStatus(kCCSuccess)
}

private func cryptor(_ reference: CCCryptorRef?) -> BlockCryptor? {
  guard let reference = unsafe reference else { return nil }
  return unsafe Unmanaged<BlockCryptor>.fromOpaque(UnsafeRawPointer(reference))
    .takeUnretainedValue()
}

/// The reason why no cryptor was made.
private struct CryptorError: Error {
  let status: Int
}

extension Result where Success == BlockCryptor, Failure == CryptorError {
  fileprivate var status: CCCryptorStatus {
    switch self {
    case .success: CCCryptorStatus(kCCSuccess)
    case .failure(let error): CCCryptorStatus(error.status)
    }
  }
}

// swift-format-ignore
private func makeCryptor(
  _ op: CCOperation, _ mode: CCMode, _ alg: CCAlgorithm, _ padding: CCPadding,
  key: UnsafeRawBufferPointer, iv: UnsafeRawPointer?
) -> Result<BlockCryptor, CryptorError> {
  let modes: [Int: OpenSSLBlockCipher.Mode] = [
    kCCModeECB: .ecb, kCCModeCBC: .cbc, kCCModeCTR: .ctr,
  ]
  guard unsafe key.baseAddress != nil, op <= CCOperation(kCCDecrypt) else {
    return .failure(CryptorError(status: kCCParamError))
  }
  guard alg == CCAlgorithm(kCCAlgorithmAES), let mode = modes[Int(mode)] else {
    notModelled(
      "CCCryptorCreateWithMode", "cipher \(alg) in mode \(mode) is refused; use AES in ECB, CBC or CTR")
    return .failure(CryptorError(status: kCCUnimplemented))
  }
  guard
    let cryptor = unsafe BlockCryptor(
      mode, key: Array(key), iv: mode == .ecb ? nil : vector(iv),
      encrypts: op == CCOperation(kCCEncrypt), pads: padding == CCPadding(ccPKCS7Padding))
  else { return .failure(CryptorError(status: kCCKeySizeError)) }
  return .success(cryptor)
}

/// The bytes of an initialization vector.
private func vector(_ iv: UnsafeRawPointer?) -> [UInt8]? {
  unsafe iv.map { unsafe Array(bytes($0, OpenSSLBlockCipher.blockByteCount)) }
}

/// Writes an output, if there is room for it.
private func write(
  _ output: [UInt8], to memory: UnsafeMutableRawPointer?, _ available: Int,
  _ moved: UnsafeMutablePointer<Int>?
) -> CCCryptorStatus {
  guard output.count <= available else { return CCCryptorStatus(kCCBufferTooSmall) }
  if !output.isEmpty {
    guard let memory = unsafe memory else { return CCCryptorStatus(kCCParamError) }
    unsafe memory.copyMemory(from: output, byteCount: output.count)
  }
  unsafe moved?.pointee = output.count
  return CCCryptorStatus(kCCSuccess)
}
