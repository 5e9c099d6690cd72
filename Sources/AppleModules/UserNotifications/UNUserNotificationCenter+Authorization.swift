extension UNUserNotificationCenter {
  /// Requests authorization.
  ///
  /// - Parameters:
  ///   - options: The requested options.
  ///   - completionHandler: Receives whether notifications are allowed.
  @preconcurrency public func requestAuthorization(
    options: UNAuthorizationOptions = [],
    completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let isGranted = request(options)
    respond { completionHandler(isGranted, nil) }
  }

  /// Requests authorization.
  ///
  /// - Parameter options: The requested options.
  /// - Returns: Whether notifications are allowed.
  /// - Throws: Nothing on Linux.
  public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
    request(options)
  }

  /// Reads the notification settings.
  ///
  /// - Parameter completionHandler: Receives the settings.
  @preconcurrency public func getNotificationSettings(
    completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void
  ) {
    let settings = settings
    respond { completionHandler(settings) }
  }

  /// Reads the notification settings.
  ///
  /// - Returns: The settings.
  public func notificationSettings() async -> UNNotificationSettings { settings }

  /// Whether the device supports notification content extensions.
  public var supportsContentExtensions: Bool { true }

  private var settings: UNNotificationSettings {
    change { state in
      UNNotificationSettings(authorizationStatus: state.authorization, options: state.options)
    }
  }

  /// Requests authorization, which the person decides once.
  ///
  /// A provisional one is granted without a request, and may be followed by a request.
  private func request(_ options: UNAuthorizationOptions) -> Bool {
    change { state in
      let isProvisional = options.contains(.provisional)
      switch state.authorization {
      case .notDetermined where isProvisional: state.authorization = .provisional
      case .provisional where isProvisional: break
      case .notDetermined, .provisional:
        state.authorization = grantsAuthorization ? .authorized : .denied
      default: break
      }
      state.options.formUnion(options)
      return state.mayNotify
    }
  }
}
