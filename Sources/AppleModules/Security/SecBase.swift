// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// The statuses have Apple's names and numbers: "SecBase.h".

/// Apple's `OSStatus`, the result of an operation.
public typealias OSStatus = Int32

/// The operation succeeded.
public let errSecSuccess: OSStatus = 0
/// The operation is not implemented.
public let errSecUnimplemented: OSStatus = -4
/// A file cannot be read or written.
public let errSecIO: OSStatus = -36
/// A parameter is invalid.
public let errSecParam: OSStatus = -50
/// There is no memory.
public let errSecAllocate: OSStatus = -108
/// The person canceled the operation.
public let errSecUserCanceled: OSStatus = -128
/// The request is invalid.
public let errSecBadReq: OSStatus = -909
/// A part of the system failed.
public let errSecInternalComponent: OSStatus = -2070
/// There is no keychain.
public let errSecNotAvailable: OSStatus = -25291
/// The person was not recognized.
public let errSecAuthFailed: OSStatus = -25293
/// There is such an item already.
public let errSecDuplicateItem: OSStatus = -25299
/// There is no such item.
public let errSecItemNotFound: OSStatus = -25300
/// Items of this class have no such attribute.
public let errSecNoSuchAttr: OSStatus = -25303
/// There is no such class.
public let errSecNoSuchClass: OSStatus = -25306
/// The item cannot be read while the phone is locked.
public let errSecInteractionNotAllowed: OSStatus = -25308
/// The data cannot be decoded.
public let errSecDecode: OSStatus = -26275
/// An entitlement is missing.
public let errSecMissingEntitlement: OSStatus = -34018

/// The text of a status.
///
/// - Parameters:
///   - status: The status.
///   - reserved: Unused.
/// - Returns: The text, in words of this package.
public func SecCopyErrorMessageString(
  _ status: OSStatus, _ reserved: UnsafeMutableRawPointer?
) -> CFString? {
  statusTexts[status].map { NSString(string: $0) }
}

private let statusTexts: [OSStatus: String] = [
  errSecSuccess: "The operation succeeded.",
  errSecUnimplemented: "The operation is not implemented.",
  errSecIO: "A file cannot be read or written.",
  errSecParam: "A parameter is invalid.",
  errSecAllocate: "There is no memory.",
  errSecUserCanceled: "The person canceled the operation.",
  errSecBadReq: "The request is invalid.",
  errSecInternalComponent: "A part of the system failed.",
  errSecNotAvailable: "There is no keychain.",
  errSecAuthFailed: "The person was not recognized.",
  errSecDuplicateItem: "There is such an item already.",
  errSecItemNotFound: "There is no such item.",
  errSecNoSuchAttr: "Items of this class have no such attribute.",
  errSecNoSuchClass: "There is no such class.",
  errSecInteractionNotAllowed: "The item cannot be read while the phone is locked.",
  errSecDecode: "The data cannot be decoded.",
  errSecMissingEntitlement: "An entitlement is missing.",
]
