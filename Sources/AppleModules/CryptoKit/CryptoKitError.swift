/// Apple's `CryptoKitError`, why an operation failed.
///
/// Source: Apple, `CryptoKitError`.
public enum CryptoKitError: Error, Equatable {
  /// A key has a wrong size.
  case incorrectKeySize
  /// A parameter has a wrong size.
  case incorrectParameterSize
  /// The data to decrypt were encrypted with another key, or were changed.
  case authenticationFailure
  /// The library failed.
  case underlyingCoreCryptoError(error: Int32)
  /// A key could not be wrapped.
  case wrapFailure
  /// A key could not be unwrapped.
  case unwrapFailure
  /// A parameter is invalid.
  case invalidParameter
}

/// Apple's `CryptoKitASN1Error`, why a key or signature in DER or PEM could not be read.
///
/// This module throws only ``invalidASN1Object`` and ``invalidPEMDocument``.
///
/// Source: Apple, `CryptoKitASN1Error`.
public enum CryptoKitASN1Error: Error, Equatable {
  /// An identifier is invalid.
  case invalidFieldIdentifier
  /// A field has an unexpected type.
  case unexpectedFieldType
  /// An object identifier is invalid.
  case invalidObjectIdentifier
  /// The object is invalid, or of another kind.
  case invalidASN1Object
  /// An integer is invalid.
  case invalidASN1IntegerEncoding
  /// A field ends too early.
  case truncatedASN1Field
  /// A field has a form of length that is not supported.
  case unsupportedFieldLength
  /// The text is not PEM.
  case invalidPEMDocument
}
