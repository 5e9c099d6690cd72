// Attachments and the world.

extension HostRule {
  static var attachmentRules: [HostRule] {
    [
      .attachmentReadable, .attachmentPlace, .attachmentType, .attachmentSize,
      .attachmentSameFile, .attachmentStore, .attachmentStorage, .attachmentSkipped,
      .attachmentCleanUp, .bundledFiles, .transportSecurity, .firstUnlock,
    ]
  }

  package static let attachmentReadable = HostRule(
    46, "attachment-readable", evidence: .documented,
    summary:
      "Refuses with error 100 an attachment whose file, after resolving links, is not a "
      + "readable file.",
    switches: ["checksFileAtInit"])
  package static let attachmentPlace = HostRule(
    47, "attachment-place", evidence: .reverseEngineered,
    summary:
      "Refuses with error 100 a file outside of the bundle, the containers, the app "
      + "group and the temporary folder.")
  package static let attachmentType = HostRule(
    48, "attachment-type", evidence: .documented,
    summary:
      "Refuses with error 101 a type that is not supported; the type is the type hint, "
      + "or else that of the file's extension.")
  package static let attachmentSize = HostRule(
    49, "attachment-size", evidence: .documented,
    summary:
      "Refuses with error 102 an audio file over 5 MB, an image over 10 MB, or a movie "
      + "over 50 MB, and checks again after the reply.",
    switches: ["megabyte"])
  package static let attachmentSameFile = HostRule(
    50, "attachment-same-file", evidence: .reverseEngineered,
    summary: "Refuses with error 100 a file that is attached a second time with another type.")
  package static let attachmentStore = HostRule(
    51, "attachment-store", evidence: .reverseEngineered,
    summary: "Refuses with error 104 a file that cannot be moved into the attachment store.")
  package static let attachmentStorage = HostRule(
    52, "attachment-storage", evidence: .documented,
    summary: "Limits the total size of an app's attachments; the limit is not published.",
    switches: ["attachmentStorageLimit"])
  package static let attachmentSkipped = HostRule(
    53, "attachment-skipped", evidence: .reverseEngineered,
    summary: "Skips an attachment that is refused, and shows the others.")
  package static let attachmentCleanUp = HostRule(
    54, "attachment-clean-up", evidence: .reverseEngineered,
    summary: "Deletes the original files after the delivery, even those in a shared cache.",
    switches: ["deletesOriginals"])
  package static let bundledFiles = HostRule(
    55, "bundled-files", evidence: .documented,
    summary: "Copies files of a bundle, which are not deleted.")
  package static let transportSecurity = HostRule(
    56, "transport-security", evidence: .observed,
    summary:
      "Blocks cleartext `http` according to the extension's Info.plist; the app's does "
      + "not apply.")
  package static let firstUnlock = HostRule(
    57, "first-unlock", evidence: .documented,
    summary:
      "Makes files and keychain items of the class after-first-unlock unreadable until "
      + "the first unlock, and those of the class complete while the phone is locked.")
}
