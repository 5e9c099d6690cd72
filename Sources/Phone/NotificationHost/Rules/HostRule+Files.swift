// Rules for the extension's own files, and for the content of the files that it attaches.

extension HostRule {
  static var fileRules: [HostRule] { [.attachmentContent, .extensionFolders, .extensionBundle] }

  package static let attachmentContent = HostRule(
    63, "attachment-content", evidence: .documented,
    summary:
      "Refuses with error 105 a file that cannot be decoded as an image, audio file or movie, "
      + "whichever its type is.",
    switches: ["checksFileContent"])
  package static let extensionFolders = HostRule(
    64, "extension-folders", evidence: .documented,
    summary:
      "Gives the extension a temporary folder and a data container of its own, in which "
      + "`Documents` and `Library/Caches` exist.")
  package static let extensionBundle = HostRule(
    65, "extension-bundle", evidence: .documented,
    summary: "Uses the extension's own bundle as `Bundle.main` of the extension.")
}
