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
    46, "attachment-readable", .documented,
    "Refuses with 100 what is no file that can be read, its links resolved.",
    switches: ["checksFileAtInit"])
  package static let attachmentPlace = HostRule(
    47, "attachment-place", .reverseEngineered,
    "Refuses with 100 a file outside the bundle, the containers, the app group and the "
      + "temporary folder.")
  package static let attachmentType = HostRule(
    48, "attachment-type", .documented,
    "Refuses with 101 a type that is not supported; the type is the hint, else what the file's "
      + "extension means.")
  package static let attachmentSize = HostRule(
    49, "attachment-size", .documented,
    "Refuses with 102 an audio file over 5 MB, an image over 10 MB, a movie over 50 MB, looked "
      + "at again after the reply.", switches: ["megabyte"])
  package static let attachmentSameFile = HostRule(
    50, "attachment-same-file", .reverseEngineered,
    "Refuses with 100 the same file under a second type.")
  package static let attachmentStore = HostRule(
    51, "attachment-store", .reverseEngineered,
    "Refuses with 104 what cannot be moved into the store.")
  package static let attachmentStorage = HostRule(
    52, "attachment-storage", .documented,
    "Limits what an app's attachments fill in all; the limit is not published.",
    switches: ["attachmentStorageLimit"])
  package static let attachmentSkipped = HostRule(
    53, "attachment-skipped", .reverseEngineered,
    "Skips an attachment that is refused, and shows the rest.")
  package static let attachmentCleanUp = HostRule(
    54, "attachment-clean-up", .reverseEngineered,
    "Deletes the original files once the notification is delivered, also those in a shared "
      + "cache.", switches: ["deletesOriginals"])
  package static let bundledFiles = HostRule(
    55, "bundled-files", .documented,
    "Copies files of a bundle, which stay.")
  package static let transportSecurity = HostRule(
    56, "transport-security", .observed,
    "Blocks cleartext `http` by the extension's own Info.plist; the app's does not count.")
  package static let firstUnlock = HostRule(
    57, "first-unlock", .documented,
    "Keeps files and keychain items of the class after-first-unlock closed until then, and "
      + "those of class complete whenever the phone is locked.")
}
