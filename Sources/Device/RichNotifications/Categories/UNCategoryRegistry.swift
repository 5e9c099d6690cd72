#if canImport(UserNotifications) && !os(tvOS)
  import PushPayload
  public import UserNotifications

  /// A registry that adds categories to those of `UNUserNotificationCenter`.
  ///
  /// Categories of the app and of other libraries are written back as the objects that were read. An app that
  /// sets its own categories must do the same: read the set, add its own categories, and write the union.
  ///
  /// `@unchecked Sendable`: UserNotifications is not annotated. The properties are constants, and
  /// `UNUserNotificationCenter` may be used from any thread.
  public struct UNCategoryRegistry: CategoryRegistry, @unchecked Sendable {
    /// The center of a test; `nil` for the process's own, which crashes in a process without a bundle.
    private let customCenter: UNUserNotificationCenter?
    private let merge: CategoryMerge

    private var center: UNUserNotificationCenter { customCenter ?? .current() }

    /// Creates a registry.
    ///
    /// - Parameters:
    ///   - center: The notification center; `nil` for the process's own.
    ///   - limit: The maximum number of categories made for payloads, at least 1. Beyond it the oldest are
    ///     removed, and notifications that still show them lose their buttons.
    public init(center: UNUserNotificationCenter? = nil, limit: Int = 32) {
      customCenter = center
      merge = CategoryMerge(limit: max(1, limit))
    }

    /// Adds a category to the registered ones.
    ///
    /// - Parameters:
    ///   - category: The category to register.
    ///   - completion: Called when the system lists the category, or after three writes without success.
    public func register(
      _ category: ButtonCategory, completion: @escaping @Sendable (CategoryOutcome) -> Void
    ) {
      var step = Step(
        registration: CategoryRegistration(category.name, merge: merge), category: category,
        registry: self, completion: completion)
      step.on(.began, present: [])
    }

    /// A registration that waits for the system's response.
    private struct Step: Sendable {
      var registration: CategoryRegistration
      let category: ButtonCategory
      let registry: UNCategoryRegistry
      let completion: @Sendable (CategoryOutcome) -> Void

      /// Performs the actions for an event; `present` are the categories that were just read.
      mutating func on(
        _ event: CategoryRegistration.Event, present: Set<UNNotificationCategory>
      ) {
        switch registration.on(event) {
        case .read:
          let current = self
          registry.center.getNotificationCategories { present in
            var step = current
            step.on(.read(Set(present.map(\.identifier))), present: present)
          }
        case .write(let pruned):
          let kept = present.filter {
            !pruned.contains($0.identifier) && $0.identifier != category.identifier
          }
          registry.center.setNotificationCategories(
            kept.union([UNNotificationCategory(category)]))
          on(.written, present: [])
        case .finish(let outcome): completion(outcome)
        case .nothing: break
        }
      }
    }
  }

  extension UNNotificationCategory {
    convenience init(_ category: ButtonCategory) {
      self.init(
        identifier: category.identifier,
        actions: category.buttons.map(UNNotificationAction.make), intentIdentifiers: [], options: []
      )
    }
  }

  extension UNNotificationAction {
    static func make(_ button: RichButton) -> UNNotificationAction {
      var options: UNNotificationActionOptions = []
      if button.opensApp { options.insert(.foreground) }
      if button.isDestructive { options.insert(.destructive) }
      if button.requiresUnlock { options.insert(.authenticationRequired) }
      let icon = button.icon.map {
        $0.isSystem
          ? UNNotificationActionIcon(systemImageName: $0.name)
          : UNNotificationActionIcon(templateImageName: $0.name)
      }
      guard let input = button.textInput else {
        return UNNotificationAction(
          identifier: button.identifier, title: button.title, options: options, icon: icon)
      }
      return UNTextInputNotificationAction(
        identifier: button.identifier, title: button.title, options: options, icon: icon,
        textInputButtonTitle: input.buttonTitle, textInputPlaceholder: input.placeholder)
    }
  }
#endif
