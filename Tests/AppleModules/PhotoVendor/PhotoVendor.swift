// The stub of an SDK that docs/app/own-stubs.md has.

public import UserNotifications

/// Stands for the vendor's class in tests on Linux.
public enum PhotoVendor {
  /// What the code under test told the SDK, in order.
  nonisolated(unsafe) public static var calls: [String] = []

  public static func configure(appKey: String) { calls.append("configure \(appKey)") }

  /// The real one fetches the photo of the key `photo_id`.
  public static func attachPhoto(
    to content: UNMutableNotificationContent, completion: @escaping (UNNotificationContent) -> Void
  ) {
    let id = content.userInfo["photo_id"] as? String
    calls.append("attachPhoto \(id ?? "without photo_id")")
    completion(content)
  }

  @available(*, unavailable, message: "The stub has no albums; test them on a phone.")
  public static func albums() -> [String] { [] }
}
