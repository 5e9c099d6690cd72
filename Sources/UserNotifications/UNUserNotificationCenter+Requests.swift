public import Foundation

/// Local notifications: a list of what waits, and a list of what was shown.
///
/// No time passes here. What has no trigger is shown at once; what has one waits until a test says
/// that it fires.
extension UNUserNotificationCenter {
  /// Adds a local notification.
  ///
  /// - Parameters:
  ///   - request: What to show, in place of one with that identifier.
  ///   - completionHandler: Receives why it was refused: a ``UNError`` 1 without permission, 1400 where
  ///     its date never comes, 1401 where it shows nothing.
  @preconcurrency public func add(
    _ request: UNNotificationRequest,
    withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    let error = schedule(request)
    if let completionHandler { answer { completionHandler(error) } }
  }

  /// Adds a local notification.
  ///
  /// - Parameter request: What to show, in place of one with that identifier.
  /// - Throws: A ``UNError``: 1 without permission, 1400 where its date never comes, 1401 where it
  ///   shows nothing.
  public func add(_ request: UNNotificationRequest) async throws {
    if let error = schedule(request) { throw error }
  }

  /// Reads what waits.
  ///
  /// - Parameter completionHandler: Receives it.
  @preconcurrency public func getPendingNotificationRequests(
    completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
  ) {
    answer { completionHandler(read(\.pending)) }
  }

  /// Reads what waits.
  ///
  /// - Returns: All of it.
  public func pendingNotificationRequests() async -> [UNNotificationRequest] { read(\.pending) }

  /// Takes back what waits.
  ///
  /// - Parameter identifiers: Of which requests.
  public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
    change { state in state.pending.removeAll { identifiers.contains($0.identifier) } }
  }

  /// Takes back all that waits.
  public func removeAllPendingNotificationRequests() { change { $0.pending = [] } }

  /// Reads what Notification Center shows.
  ///
  /// - Parameter completionHandler: Receives it.
  @preconcurrency public func getDeliveredNotifications(
    completionHandler: @escaping @Sendable ([UNNotification]) -> Void
  ) {
    answer { completionHandler(read(\.delivered)) }
  }

  /// Reads what Notification Center shows.
  ///
  /// - Returns: All of it.
  public func deliveredNotifications() async -> [UNNotification] { read(\.delivered) }

  /// Removes what Notification Center shows.
  ///
  /// - Parameter identifiers: Of which requests.
  public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
    change { state in state.delivered.removeAll { identifiers.contains($0.request.identifier) } }
  }

  /// Removes all that Notification Center shows.
  public func removeAllDeliveredNotifications() { change { $0.delivered = [] } }

  /// Sets the number on the icon.
  ///
  /// - Parameters:
  ///   - newBadgeCount: The number; 0 removes it.
  ///   - completionHandler: Receives ``UNError`` 1600 for a number below zero.
  @preconcurrency public func setBadgeCount(
    _ newBadgeCount: Int,
    withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    let error = setBadge(newBadgeCount)
    if let completionHandler { answer { completionHandler(error) } }
  }

  /// Sets the number on the icon.
  ///
  /// - Parameter newBadgeCount: The number; 0 removes it.
  /// - Throws: ``UNError`` 1600 for a number below zero.
  public func setBadgeCount(_ newBadgeCount: Int) async throws {
    if let error = setBadge(newBadgeCount) { throw error }
  }

  /// The number on the icon.
  @_spi(Host) public var badgeCount: Int { read(\.badge) }

  /// Shows what waits under an identifier, as when its time has come.
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

  /// Adds what a push brought to what Notification Center shows.
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
