import NotificationTemplates

/// The README of an extension's folder.
extension ExtensionProject {
  var readme: String {
    """
    # The notification \(kind.noun) of \(appName)

    \(purpose)

    \(sections)

    ## Signing

    `\(extensionID)` needs a provisioning profile of its own. With automatic signing Xcode makes it;
    otherwise register that bundle id and `\(appGroup)` at developer.apple.com, turn App Groups on for
    both bundle ids and Push Notifications on for `\(bundleID)`, make both profiles, and name both
    in the export options.

    \(kind == .service ? whatItDoes : whatItShows)

    ## Check it

    ```sh
    martlet doctor \(shell("\(appName).xcarchive"))
    ```

    """
  }

  private var purpose: String {
    switch kind {
    case .service:
      "`\(extensionID)` fetches the media of a notification and attaches them before it is shown."
    case .content:
      """
      `\(extensionID)` shows what a person sees of an expanded notification that has a template: a carousel,
      a countdown, a rating. It fetches nothing: the service extension prepares the media in `\(appGroup)`.
      """
    }
  }

  /// The instructions for adding the extension to the app: the changes made in its project, or the
  /// steps for each tool.
  private var sections: String {
    if let projectPath {
      return "## In the project\n\n" + inProject(projectPath)
    }
    if tools.isEmpty {
      return "## With XcodeGen\n\n\(xcodeGenSection)\n\n## Without\n\n\(byHand)"
    }
    return tools.map { "## With \($0.title)\n\n\($0.section(of: self))" }
      .joined(separator: "\n\n")
  }

  private var whatItDoes: String {
    let categoryStep =
      categories.isEmpty
      ? "Every notification is enriched. To restrict that, name categories in "
        + "`UNNotificationExtensionCategory` under `NSExtension/NSExtensionAttributes` of Info.plist."
      : "Only these categories are enriched: \(categories.joined(separator: ", "))."
    let transportStep =
      plainHosts.isEmpty
      ? "Media come over https: only. The exceptions in the app's Info.plist do not apply here."
      : "Media of \(plainHosts.joined(separator: ", ")) may come over http:; the App Store asks for a reason."
    return """
      ## What it does

      \(categoryStep)
      \(transportStep)
      The settings are under `Martlet` in Info.plist; `NotificationService` may override them in Swift.
      """
  }

  private var whatItShows: String {
    let categories = content.senders.map { "| `\($0.category)` | \($0.sender) |" }
    let ratios = content.ratios.map { "| `\($0.kind.rawValue)` | \($0.ratio) |" }
    return """
      ## What it shows

      iOS starts it for a notification whose `aps.category` is one of these, letter by letter:

      | Category | Sender |
      |---|---|
      \(categories.joined(separator: "\n"))

      Remove from Info.plist what the app does not receive: a notification of such a category without a template is
      shown as text. No other content extension of the app may name the same category.

      The view begins with a height of \(content.ratio) of its width, and then takes that of the template. If most of
      the app's notifications are of one kind, set `UNNotificationExtensionInitialContentSizeRatio` to its usual height:

      | Kind | Height to width |
      |---|---|
      \(ratios.joined(separator: "\n"))

      The settings are under `Martlet` in Info.plist; the app group is that of the service extension.
      `NotificationContent` may override `didRecord(_:)`, which is told what a person does.
      """
  }
}
