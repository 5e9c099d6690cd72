public import Foundation

/// Apple's `UNErrorDomain`.
public let UNErrorDomain = "UNErrorDomain"

/// Apple's `UNError`: why the system refused.
///
/// Source: Apple, `UNError.Code`.
public struct UNError: CustomNSError, LocalizedError, Hashable, Sendable {
  /// What went wrong.
  public enum Code: Int, Sendable {
    /// The person has not allowed notifications.
    case notificationsNotAllowed = 1
    /// The attachment's URL cannot be used: no file, unreadable, or outside the allowed folders.
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
    /// The notification has no date.
    case notificationInvalidNoDate = 1400
    /// The notification shows nothing.
    case notificationInvalidNoContent = 1401
    /// The object that provides content is not allowed.
    case contentProvidingObjectNotAllowed = 1500
    /// The object that provides content is invalid.
    case contentProvidingInvalid = 1501
    /// The badge count is invalid.
    case badgeInputInvalid = 1600
  }

  /// What went wrong.
  public let code: Code

  /// Makes an error.
  ///
  /// - Parameter code: What went wrong.
  public init(_ code: Code) { self.code = code }

  /// Apple's domain.
  public static var errorDomain: String { UNErrorDomain }

  /// The code's number.
  public var errorCode: Int { code.rawValue }

  /// What the system says.
  public var errorDescription: String? {
    switch code {
    case .notificationsNotAllowed: "Notifications are not allowed for this application"
    case .attachmentInvalidURL: "Invalid attachment file URL"
    case .attachmentUnrecognizedType: "Unrecognized attachment file type"
    case .attachmentInvalidFileSize: "Invalid attachment file size"
    case .attachmentNotInDataStore: "Attachment is not in the data store"
    case .attachmentMoveIntoDataStoreFailed: "Failed to move attachment file into data store"
    case .attachmentCorrupt: "Attachment is corrupt"
    case .notificationInvalidNoDate: "Notification has no date"
    case .notificationInvalidNoContent: "Notification has no user visible content"
    case .contentProvidingObjectNotAllowed: "Content providing object not allowed"
    case .contentProvidingInvalid: "Content providing object is invalid"
    case .badgeInputInvalid: "Badge count is invalid"
    }
  }
}
