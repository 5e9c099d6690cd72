#if canImport(UserNotifications) && !os(tvOS)
  import Dispatch
  import Foundation
  import PushPayload
  public import UserNotifications

  extension PushDevice {
    /// Makes the notification center report to this device, and passes each call on to other delegates.
    ///
    /// ```swift
    /// push.installDelegate(next: [otherLibrary])
    /// ```
    ///
    /// Call it before the app has finished launching, so that the tap that starts the app is reported. It sets
    /// `UNUserNotificationCenter.current().delegate`, which the center holds weakly and the library keeps; a later call replaces
    /// it. Nothing is swizzled. An app that sets a delegate of its own calls ``recordOpening(_:)`` and ``recordPresentation(_:)``
    /// in it instead.
    ///
    /// Each call goes to the device first, then to every other delegate in order. The system is answered once, when all have
    /// answered. A delegate that answers twice counts once, and one that never answers is waited for five seconds.
    ///
    /// - Parameter next: Other delegates, such as those of other libraries, which the library keeps too.
    public func installDelegate(next: [any UNUserNotificationCenterDelegate] = []) {
      let delegate = PushDelegate(self, next: next)
      PushDelegate.installed.withLock { $0 = delegate }
      UNUserNotificationCenter.current().delegate = delegate
    }
  }

  /// The delegate of the notification center that ``PushDevice/installDelegate(next:)`` makes.
  ///
  /// `@unchecked Sendable`: the properties are constants, and other delegates are called only on the thread on which the
  /// notification center calls this one. Another thread may only release them.
  package final class PushDelegate: NSObject, UNUserNotificationCenterDelegate, @unchecked Sendable
  {
    /// The one that the notification center has, which holds it weakly.
    fileprivate static let installed = Locked<PushDelegate?>(nil)
    /// The time within which other delegates must answer, in milliseconds.
    static let patience: Int64 = 5000

    private let push: PushDevice
    private let next: [any UNUserNotificationCenterDelegate]

    /// Creates a delegate.
    ///
    /// - Parameters:
    ///   - push: The device.
    ///   - next: Other delegates, such as those of other libraries, which this one keeps.
    package init(_ push: PushDevice, next: [any UNUserNotificationCenterDelegate] = []) {
      self.push = push
      self.next = next
    }

    /// Records that the notification is shown, and answers with the presentation options.
    ///
    /// - Parameters:
    ///   - center: The notification center.
    ///   - notification: The notification.
    ///   - completionHandler: Called once with the union of the other delegates' options. If there are no others, it gets all
    ///     options for a notification of this server, unless ``PushSettings/showsPushesInForeground`` is `false`.
    package func userNotificationCenter(
      _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
      withCompletionHandler completionHandler:
        @escaping (UNNotificationPresentationOptions) -> Void
    ) {
      let isOwn = push.recordPresentation(notification)
      let answer = Answer(completionHandler)
      let peers = next.compactMap { peer in
        // Optional in Objective-C: `nil` if the delegate does not implement it.
        let method:
          (
            (
              UNUserNotificationCenter, UNNotification,
              @escaping (UNNotificationPresentationOptions) -> Void
            ) -> Void
          )? = peer.userNotificationCenter(_:willPresent:withCompletionHandler:)
        return method
      }
      let isShown = isOwn && push.settings.showsPushesInForeground
      let own: UNNotificationPresentationOptions =
        peers.isEmpty && isShown ? [.badge, .sound, .list, .banner] : []
      let gathering = Gathering(own.rawValue, of: peers.count) { options in
        answer.call(UNNotificationPresentationOptions(rawValue: options))
      }
      limit(gathering)
      for index in peers.indices {
        peers[index](center, notification) { gathering.take($0.rawValue, from: index) }
      }
    }

    /// Stores the tap and its receipt, and answers the system when all other delegates have answered.
    ///
    /// - Parameters:
    ///   - center: The notification center.
    ///   - response: The response.
    ///   - completionHandler: Called once.
    package func userNotificationCenter(
      _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
      withCompletionHandler completionHandler: @escaping () -> Void
    ) {
      push.recordOpening(response)
      let answer = Answer<Void>(completionHandler)
      let peers = next.compactMap { peer in
        let method:
          ((UNUserNotificationCenter, UNNotificationResponse, @escaping () -> Void) -> Void)? =
            peer.userNotificationCenter(_:didReceive:withCompletionHandler:)
        return method
      }
      let gathering = Gathering(0, of: peers.count) { _ in answer.call(()) }
      limit(gathering)
      for index in peers.indices {
        peers[index](center, response) { gathering.take(0, from: index) }
      }
    }

    /// Passes the call on to the other delegates.
    ///
    /// - Parameters:
    ///   - center: The notification center.
    ///   - notification: The notification that the person came from; `nil` for Settings.
    package func userNotificationCenter(
      _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
    ) {
      for peer in next {
        let method: ((UNUserNotificationCenter, UNNotification?) -> Void)? =
          peer.userNotificationCenter(_:openSettingsFor:)
        if let method { method(center, notification) }
      }
    }

    /// Ends the wait for other delegates.
    private func limit(_ gathering: Gathering) {
      guard !gathering.isDone, let sleep = push.environment.sleep else { return }
      Task { @Sendable in
        try? await sleep(Self.patience)
        gathering.giveAnswer()
      }
    }
  }

  /// A completion handler of the system's, which is called on the main thread.
  ///
  /// UIKit asserts it: after the handler it updates the app's snapshot. `@unchecked Sendable`: ``Gathering`` calls it once.
  private struct Answer<Value: Sendable>: @unchecked Sendable {
    private let handler: (Value) -> Void
    init(_ handler: @escaping (Value) -> Void) { self.handler = handler }
    func call(_ value: Value) {
      if Thread.isMainThread { return handler(value) }
      DispatchQueue.main.async { handler(value) }
    }
  }
#endif
