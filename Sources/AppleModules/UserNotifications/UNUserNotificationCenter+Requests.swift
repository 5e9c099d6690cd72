public import Foundation

/// Local notifications: the lists of pending requests and of delivered notifications.
///
/// A request without a trigger is delivered immediately. A request with a trigger is pending until a test calls
/// `fire(_:at:)`.
extension UNUserNotificationCenter {
  /// Adds a local notification.
  ///
  /// - Parameters:
  ///   - request: The request, which replaces a pending one with the same identifier.
  ///   - completionHandler: Receives ``UNError`` 1 without authorization, 1400 if the trigger's date never
  ///     comes, 1401 if there is no content to show.
  @preconcurrency public func add(
    _ request: UNNotificationRequest,
    withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    let error = schedule(request)
    if let completionHandler { respond { completionHandler(error) } }
  }

  /// Adds a local notification.
  ///
  /// - Parameter request: The request, which replaces a pending one with the same identifier.
  /// - Throws: ``UNError`` 1 without authorization, 1400 if the trigger's date never comes, 1401 if there is no
  ///   content to show.
  public func add(_ request: UNNotificationRequest) async throws {
    if let error = schedule(request) { throw error }
  }

  /// Reads the pending requests.
  ///
  /// - Parameter completionHandler: Receives the list.
  @preconcurrency public func getPendingNotificationRequests(
    completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
  ) {
    respond { completionHandler(read(\.pending)) }
  }

  /// Reads the pending requests.
  ///
  /// - Returns: The list.
  public func pendingNotificationRequests() async -> [UNNotificationRequest] { read(\.pending) }

  /// Removes pending requests.
  ///
  /// - Parameter identifiers: The identifiers of the requests.
  public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
    change { state in state.pending.removeAll { identifiers.contains($0.identifier) } }
  }

  /// Removes all pending requests.
  public func removeAllPendingNotificationRequests() { change { $0.pending = [] } }

  /// Reads the delivered notifications.
  ///
  /// - Parameter completionHandler: Receives the list.
  @preconcurrency public func getDeliveredNotifications(
    completionHandler: @escaping @Sendable ([UNNotification]) -> Void
  ) {
    respond { completionHandler(read(\.delivered)) }
  }

  /// Reads the delivered notifications.
  ///
  /// - Returns: The list.
  public func deliveredNotifications() async -> [UNNotification] { read(\.delivered) }

  /// Removes delivered notifications.
  ///
  /// - Parameter identifiers: The identifiers of the requests.
  public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
    change { state in state.delivered.removeAll { identifiers.contains($0.request.identifier) } }
  }

  /// Removes all delivered notifications.
  public func removeAllDeliveredNotifications() { change { $0.delivered = [] } }

  /// Sets the app icon's badge.
  ///
  /// - Parameters:
  ///   - newBadgeCount: The number; 0 removes it.
  ///   - completionHandler: Receives ``UNError`` 1600 for a number below zero.
  @available(watchOS, unavailable)
  @preconcurrency public func setBadgeCount(
    _ newBadgeCount: Int,
    withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    let error = setBadge(newBadgeCount)
    if let completionHandler { respond { completionHandler(error) } }
  }

  /// Sets the app icon's badge.
  ///
  /// - Parameter newBadgeCount: The number; 0 removes it.
  /// - Throws: ``UNError`` 1600 for a number below zero.
  @available(watchOS, unavailable)
  public func setBadgeCount(_ newBadgeCount: Int) async throws {
    if let error = setBadge(newBadgeCount) { throw error }
  }

  /// The app icon's badge.
  @_spi(Host) public var badgeCount: Int { read(\.badge) }

  /// Delivers a pending request, as when its trigger fires.
  @_spi(Host) public func fire(_ identifier: String, at date: Date) {
    change { state in
      guard let request = state.pending.first(where: { $0.identifier == identifier }) else {
        return
      }
      if request.trigger?.repeats != true {
        state.pending.removeAll { $0.identifier == identifier }
      }
      state.deliver(request, at: date)
    }
  }

  /// Adds a remote notification to the delivered ones.
  @_spi(Host) public func deliver(_ request: UNNotificationRequest, at date: Date) {
    change { $0.deliver(request, at: date) }
  }

  private func setBadge(_ count: Int) -> UNError? {
    guard count >= 0 else { return UNError(.badgeInputInvalid) }
    change { $0.badge = count }
    return nil
  }

  private func schedule(_ request: UNNotificationRequest) -> UNError? {
    let content = request.content
    let isEmpty = (content.title + content.subtitle + content.body).isEmpty
    if isEmpty && content.badge == nil && content.sound == nil {
      return UNError(.notificationInvalidNoContent)
    }
    if let trigger = request.trigger as? UNCalendarNotificationTrigger,
      trigger.nextTriggerDate() == nil
    {
      return UNError(.notificationInvalidNoDate)
    }
    return change { state in
      guard state.mayNotify else { return UNError(.notificationsNotAllowed) }
      state.pending.removeAll { $0.identifier == request.identifier }
      if request.trigger == nil {
        state.deliver(request, at: Date())
      } else {
        state.pending.append(request)
      }
      return nil
    }
  }
}
