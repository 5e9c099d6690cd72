// Rules for an expanded notification and a person's actions in it.

extension HostRule {
  static var expandedRules: [HostRule] {
    [
      .contentExtension, .contentSize, .contentTouches, .contentAction, .contentButtons,
      .contentThread, .contentMemory,
    ]
  }

  package static let contentExtension = HostRule(
    66, "content-extension", evidence: .documented,
    summary:
      "Expands a notification with the content extension whose Info.plist names the "
      + "category, spelled alike; without one, with the system's own view.")
  package static let contentSize = HostRule(
    67, "content-size", evidence: .documented,
    summary:
      "Gives the view the height of its width times `UNNotificationExtensionInitialContentSizeRatio`, "
      + "then that of `preferredContentSize`, whose width is ignored.")
  package static let contentTouches = HostRule(
    68, "content-touches", evidence: .documented,
    summary:
      "Passes touches to the view only with `UNNotificationExtensionUserInteractionEnabled`; "
      + "otherwise a tap opens the app.")
  package static let contentAction = HostRule(
    69, "content-action", evidence: .documented,
    summary:
      "Passes a tapped button to the content extension, which keeps its view, closes it, or closes "
      + "it and leaves the action to the app.")
  package static let contentButtons = HostRule(
    70, "content-buttons", evidence: .documented,
    summary:
      "Shows the buttons of the notification's category, or those that the content extension sets.")
  package static let contentThread = HostRule(
    71, "content-thread", evidence: .documented,
    summary:
      "Passes a later notification of the same thread to the content extension while its view is "
      + "visible.")
  package static let contentMemory = HostRule(
    72, "content-memory", evidence: .observed,
    summary:
      "Kills a content extension that uses too much memory, without another call; the limit is not "
      + "published, and the model has that of `memory-limit`.")
}
