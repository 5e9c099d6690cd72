// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The names and numbers are Apple's: "CommonCryptoError.h" and "CommonCryptor.h".

/// Apple's `CCCryptorStatus`, the result of an operation.
public typealias CCCryptorStatus = Int32
/// Apple's `CCStatus`, the result of an operation.
public typealias CCStatus = Int32

/// The operation succeeded.
public let kCCSuccess = 0
/// A parameter is invalid.
public let kCCParamError = -4300
/// The memory for the output is too small.
public let kCCBufferTooSmall = -4301
/// There is no memory.
public let kCCMemoryFailure = -4302
/// The input is no whole number of blocks.
public let kCCAlignmentError = -4303
/// The input cannot be decoded.
public let kCCDecodeError = -4304
/// The operation is not implemented.
public let kCCUnimplemented = -4305
/// A number is too large.
public let kCCOverflow = -4306
/// There is no randomness.
public let kCCRNGFailure = -4307
/// The operation failed.
public let kCCUnspecifiedError = -4308
/// The functions are called in a wrong order.
public let kCCCallSequenceError = -4309
/// The key has a wrong length.
public let kCCKeySizeError = -4310
/// The key is invalid.
public let kCCInvalidKey = -4311

/// Apple's `CCOperation`, encryption or decryption.
public typealias CCOperation = UInt32
/// Encryption.
public let kCCEncrypt = 0
/// Decryption.
public let kCCDecrypt = 1

/// Apple's `CCAlgorithm`, the number of a cipher; only AES is modelled.
public typealias CCAlgorithm = UInt32
/// AES, with keys of all its lengths.
public let kCCAlgorithmAES128 = 0
/// AES.
public let kCCAlgorithmAES = 0
/// DES, which is not modelled.
public let kCCAlgorithmDES = 1
/// Triple DES, which is not modelled.
public let kCCAlgorithm3DES = 2
/// CAST, which is not modelled.
public let kCCAlgorithmCAST = 3
/// RC4, which is not modelled.
public let kCCAlgorithmRC4 = 4
/// RC2, which is not modelled.
public let kCCAlgorithmRC2 = 5
/// Blowfish, which is not modelled.
public let kCCAlgorithmBlowfish = 6

/// Apple's `CCOptions`, the options of ``CCCrypt(_:_:_:_:_:_:_:_:_:_:_:)``.
public typealias CCOptions = UInt32
/// Padding to whole blocks (RFC 5652 section 6.3).
public let kCCOptionPKCS7Padding = 1
/// Each block is encrypted alone; without this option the mode is CBC.
public let kCCOptionECBMode = 2

/// The length of a key of AES-128 in bytes.
public let kCCKeySizeAES128 = 16
/// The length of a key of AES-192 in bytes.
public let kCCKeySizeAES192 = 24
/// The length of a key of AES-256 in bytes.
public let kCCKeySizeAES256 = 32
/// The length of a block of AES in bytes.
public let kCCBlockSizeAES128 = 16

/// Apple's `CCMode`, a mode of operation.
public typealias CCMode = UInt32
/// Each block is encrypted alone.
public let kCCModeECB = 1
/// Each block depends on the one before it.
public let kCCModeCBC = 2
/// Cipher feedback, which is not modelled.
public let kCCModeCFB = 3
/// Counter mode.
public let kCCModeCTR = 4
/// Output feedback, which is not modelled.
public let kCCModeOFB = 7
/// RC4, which is not modelled.
public let kCCModeRC4 = 9
/// Cipher feedback by bytes, which is not modelled.
public let kCCModeCFB8 = 10

/// Apple's `CCPadding`, the padding to whole blocks.
public typealias CCPadding = UInt32
/// No padding.
public let ccNoPadding = 0
/// Padding of PKCS #7 (RFC 5652 section 6.3).
public let ccPKCS7Padding = 1

/// Apple's `CCModeOptions`, the options of a mode.
public typealias CCModeOptions = UInt32
/// The counter of counter mode is big-endian, as it always is.
public let kCCModeOptionCTR_BE = 2
