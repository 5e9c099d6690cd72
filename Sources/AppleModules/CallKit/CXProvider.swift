public import Foundation
@_spi(Host) import UserNotifications

/// Apple's `CXProvider`, of which an extension calls one method.
///
/// Source: Apple, `CXProvider`.
public final class CXProvider: NSObject {
  /// Wakes the app with the payload of a call, which this model does not do, and the trace of the run says so.
  ///
  /// - Parameters:
  ///   - dictionaryPayload: The payload that the app would get by PushKit.
  ///   - completion: Called with `nil`.
  public static func reportNewIncomingVoIPPushPayload(
    _ dictionaryPayload: [AnyHashable: Any], completion: ((any Error)?) -> Void
  ) {
    notModelled(
      "CXProvider.reportNewIncomingVoIPPushPayload(_:completion:)",
      "no app is woken; test its call on a phone")
    completion(nil)
  }

  /// Wakes the app with the payload of a call, which this model does not do, and the trace of the run says so.
  ///
  /// - Parameter dictionaryPayload: The payload that the app would get by PushKit.
  /// - Throws: Nothing.
  public static func reportNewIncomingVoIPPushPayload(
    _ dictionaryPayload: [AnyHashable: Any]
  ) async throws {
    reportNewIncomingVoIPPushPayload(dictionaryPayload) { _ in }
  }
}
