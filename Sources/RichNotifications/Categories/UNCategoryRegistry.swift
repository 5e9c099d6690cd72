#if canImport(UserNotifications) && !os(tvOS)
  import PushPayload
  public import UserNotifications

  /// The system's own list of categories, added to and never replaced.
  ///
  /// Categories of the app and of other libraries are written back as the very objects that were
  /// read. An app that sets its categories itself does the same: it sets what it reads, and its own.
  ///
  /// `@unchecked Sendable`: UserNotifications is not annotated. The one property is a constant, and
  /// the center is the system's shared object, whose answers come on threads of its own and which is
  /// used from any (Apple, `UNUserNotificationCenter`).
  public struct UNCategoryRegistry: CategoryRegistry, @unchecked Sendable {
    /// A center of a test's own; `nil` for the process's, which a process without a bundle may not
    /// even ask for.
    private let given: UNUserNotificationCenter?
    private let merge: CategoryMerge

    private var center: UNUserNotificationCenter { given ?? .current() }

    /// Makes a registry.
    ///
    /// - Parameters:
    ///   - center: Whose categories; `nil` for the process's own center.
    ///   - limit: How many categories made from payloads are kept, at least one; beyond it the oldest
    ///     go, and notifications that still show them lose their buttons.
    public init(center: UNUserNotificationCenter? = nil, limit: Int = 32) {
      given = center
      merge = CategoryMerge(limit: max(1, limit))
    }

    /// Registers a category beside all that are there.
    ///
    /// - Parameters:
    ///   - category: What to register.
    ///   - completion: Called once the system lists it, or does not after three writes.
    public func register(
      _ category: ButtonCategory, completion: @escaping @Sendable (CategoryOutcome) -> Void
    ) {
      var step = Step(
        registration: CategoryRegistration(category.name, merge: merge), category: category,
        registry: self, completion: completion)
      step.on(.began, present: [])
    }

    /// One registration between two answers of the system.
    private struct Step: Sendable {
      var registration: CategoryRegistration
      let category: ButtonCategory
      let registry: UNCategoryRegistry
      let completion: @Sendable (CategoryOutcome) -> Void

      /// `present` are the categories that were just read.
      mutating func on(
        _ event: CategoryRegistration.Event, present: Set<UNNotificationCategory>
      ) {
        switch registration.on(event) {
        case .read:
          let asked = self
          registry.center.getNotificationCategories { present in
            var step = asked
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
