extension UNUserNotificationCenter {
  /// Asks the person.
  ///
  /// - Parameters:
  ///   - options: For what.
  ///   - completionHandler: Receives whether the app may notify.
  @preconcurrency public func requestAuthorization(
    options: UNAuthorizationOptions = [],
    completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let isGranted = ask(options)
    answer { completionHandler(isGranted, nil) }
  }

  /// Asks the person.
  ///
  /// - Parameter options: For what.
  /// - Returns: Whether the app may notify.
  /// - Throws: Nothing here.
  public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
    ask(options)
  }

  /// Reads what the person allows.
  ///
  /// - Parameter completionHandler: Receives it.
  @preconcurrency public func getNotificationSettings(
    completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void
  ) {
    let settings = settings
    answer { completionHandler(settings) }
  }

  /// Reads what the person allows.
  ///
  /// - Returns: The settings.
  public func notificationSettings() async -> UNNotificationSettings { settings }

  /// Whether content extensions are shown; they are, on the phones that this stands for.
  public var supportsContentExtensions: Bool { true }

  private var settings: UNNotificationSettings {
    change { state in
      UNNotificationSettings(authorizationStatus: state.authorization, options: state.options)
    }
  }

  /// The person is asked once; a provisional permission does not ask, and may be asked for later.
  private func ask(_ options: UNAuthorizationOptions) -> Bool {
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
