public import Foundation

/// Apple's `UNErrorDomain`.
public let UNErrorDomain = "UNErrorDomain"

/// Apple's `UNError`.
///
/// Source: Apple, `UNError.Code`.
public struct UNError: CustomNSError, LocalizedError, Hashable, Sendable {
  /// An error code.
  public enum Code: Int, Sendable {
    /// The person has not allowed notifications.
    case notificationsNotAllowed = 1
    /// The attachment's URL is invalid: not a file, not readable, or outside of the allowed folders.
    case attachmentInvalidURL = 100
    /// The attachment's type is not supported.
    case attachmentUnrecognizedType = 101
    /// The attachment is too large for its type.
    case attachmentInvalidFileSize = 102
    /// The attachment is not in the data store.
    case attachmentNotInDataStore = 103
    /// The attachment could not be moved into the data store.
    case attachmentMoveIntoDataStoreFailed = 104
    /// The attachment is corrupt.
    case attachmentCorrupt = 105
    /// The attachment's type is not supported.
    ///
    /// It appeared in a beta of Xcode 27 (dotnet/macios 25993, July 2026), and may have left a later one (26271). Nothing
    /// says when the system uses it and when ``attachmentUnrecognizedType``: the model of iOS uses the latter.
    case attachmentUnsupportedType = 106
    /// The notification has no date.
    case notificationInvalidNoDate = 1400
    /// The notification has no content that can be shown.
    case notificationInvalidNoContent = 1401
    /// The object that provides content is not allowed.
    case contentProvidingObjectNotAllowed = 1500
    /// The object that provides content is invalid.
    case contentProvidingInvalid = 1501
    /// The badge count is invalid.
    case badgeInputInvalid = 1600
  }

  private let error: NSError

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: The error code.
  ///   - userInfo: Additional information.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    self.code = code
    error = NSError(domain: UNErrorDomain, code: code.rawValue, userInfo: userInfo)
  }

  /// The error code.
  public let code: Code
  /// Additional information.
  public var userInfo: [String: Any] { error.userInfo }

  /// Apple's domain.
  public static var errorDomain: String { UNErrorDomain }

  /// The code's number.
  public var errorCode: Int { code.rawValue }
  /// Additional information, with the system's description by default.
  public var errorUserInfo: [String: Any] {
    errorDescription.map { [NSLocalizedDescriptionKey: $0] }?.merging(userInfo) { $1 } ?? userInfo
  }

  /// The description.
  public var errorDescription: String? {
    if let text = userInfo[NSLocalizedDescriptionKey] as? String { return text }
    return switch code {
    case .notificationsNotAllowed: "Notifications are not allowed for this application"
    case .attachmentInvalidURL: "Invalid attachment file URL"
    case .attachmentUnrecognizedType: "Unrecognized attachment file type"
    case .attachmentInvalidFileSize: "Invalid attachment file size"
    case .attachmentNotInDataStore: "Attachment is not in the data store"
    case .attachmentMoveIntoDataStoreFailed: "Failed to move attachment file into data store"
    case .attachmentCorrupt: "Attachment is corrupt"
    // Apple's words are not known.
    case .attachmentUnsupportedType: "Attachment type is not supported"
    case .notificationInvalidNoDate: "Notification has no date"
    case .notificationInvalidNoContent: "Notification has no user visible content"
    case .contentProvidingObjectNotAllowed: "Content providing object not allowed"
    case .contentProvidingInvalid: "Content providing object is invalid"
    case .badgeInputInvalid: "Badge count is invalid"
    }
  }
}

/// The codes as static members of the error, for `catch UNError.attachmentCorrupt`.
extension UNError {
  /// The person has not allowed notifications.
  public static var notificationsNotAllowed: Code { .notificationsNotAllowed }
  /// The attachment's URL is invalid: not a file, not readable, or outside of the allowed folders.
  public static var attachmentInvalidURL: Code { .attachmentInvalidURL }
  /// The attachment's type is not supported.
  public static var attachmentUnrecognizedType: Code { .attachmentUnrecognizedType }
  /// The attachment is too large for its type.
  public static var attachmentInvalidFileSize: Code { .attachmentInvalidFileSize }
  /// The attachment is not in the data store.
  public static var attachmentNotInDataStore: Code { .attachmentNotInDataStore }
  /// The attachment could not be moved into the data store.
  public static var attachmentMoveIntoDataStoreFailed: Code { .attachmentMoveIntoDataStoreFailed }
  /// The attachment is corrupt.
  public static var attachmentCorrupt: Code { .attachmentCorrupt }
  /// The attachment's type is not supported (a beta of Xcode 27).
  public static var attachmentUnsupportedType: Code { .attachmentUnsupportedType }
  /// The notification has no date.
  public static var notificationInvalidNoDate: Code { .notificationInvalidNoDate }
  /// The notification has no content that can be shown.
  public static var notificationInvalidNoContent: Code { .notificationInvalidNoContent }
  /// The object that provides content is not allowed.
  public static var contentProvidingObjectNotAllowed: Code { .contentProvidingObjectNotAllowed }
  /// The object that provides content is invalid.
  public static var contentProvidingInvalid: Code { .contentProvidingInvalid }
  /// The badge count is invalid.
  public static var badgeInputInvalid: Code { .badgeInputInvalid }
}

extension UNError.Code {
  /// Whether an error has this code.
  ///
  /// - Parameters:
  ///   - code: The code.
  ///   - error: Any error.
  /// - Returns: Whether the error has the domain `UNErrorDomain` and this code.
  public static func ~= (code: Self, error: any Error) -> Bool {
    let error = error as NSError
    return error.domain == UNErrorDomain && error.code == code.rawValue
  }
}
