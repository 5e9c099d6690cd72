/// A button below an expanded notification.
package enum TemplateCategoryButton: Hashable, Sendable {
  /// A button of the notification's category, as the app has registered it.
  case registered(id: String)
  /// A button that the template names.
  case named(id: String, title: String)

  /// The identifier of the action that a tap sends.
  package var id: String {
    switch self {
    case .registered(let id), .named(let id, _): id
    }
  }
}

extension TemplateLayout {
  /// Returns the buttons below the view: those of the category, then those that the template names.
  ///
  /// A button that the template answers is present only while it has an effect, such as "next" before the last page.
  ///
  /// - Parameters:
  ///   - template: The template that is laid out.
  ///   - registered: The identifiers of the category's buttons, in order.
  /// - Returns: At most ``TemplateLimits/buttons``, which is as many as iOS shows.
  package func buttons(
    of template: NotificationTemplate, registered: [String]
  ) -> [TemplateCategoryButton] {
    let idle = Set(template.actions.map(\.id)).subtracting(actions.map(\.id))
    let own = registered.filter { !idle.contains($0) }.map(TemplateCategoryButton.registered)
    let known = Set(registered)
    let named = actions.compactMap { action -> TemplateCategoryButton? in
      guard let title = action.title, !known.contains(action.id) else { return nil }
      return .named(id: action.id, title: title)
    }
    return Array((own + named).prefix(TemplateLimits.buttons))
  }
}
