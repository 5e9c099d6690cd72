import NotificationHost

// The rows of extensions that use no network, or whose network does not matter.

extension SampleTable {
  static let replies: [SampleRow] = [
    // Rule 31: the first call of the handler counts, on any thread.
    SampleRow("ReplyAtOnce", .text),
    SampleRow("ReplyWithOriginal", .shown(title: "Hello")),
    SampleRow("ReplyInDefer", .text),
    SampleRow("ReplyByProperty", .text),
    SampleRow("ReplyOnGlobalQueue", .text),
    SampleRow("ReplyOnSerialQueue", .text),
    SampleRow("ReplyOnMainQueue", .text),
    SampleRow("ReplyByWorkItem", .text),
    SampleRow("ReplyOnOperationQueue", .text),
    SampleRow("ReplyAfterGroup", .text),
    SampleRow("ReplyInTask", .text),
    SampleRow("ReplyInDetachedTask", .text),
    SampleRow("ReplyOnMainActor", .text),
    SampleRow("ReplyAfterTaskGroup", .shown(body: "ANN, BEN, EVE")),
    SampleRow("ReplyAfterAsyncLet", .shown(body: "Ann and Ben")),
    SampleRow("ReplyInThread", .text),
    SampleRow("ReplyAfterMainSync", .text),
    SampleRow("RepliesTwice", .shown(body: "First")),
    // Rule 28: a reply within 30 s counts.
    SampleRow("ReplyAfterDelay", .text),
    SampleRow("ReplyAfterTaskSleep", .text),
    // Rule 29: the warning comes after 29 s.
    SampleRow("ReplyOnlyAtExpiry", .textAtExpiry),
    SampleRow("ReplyAfterExpiry", .textAtExpiry).withTime(of: .seconds(59), grace: .seconds(30)),
    SampleRow("ReplyTooLate", .originalAtLimit),
    SampleRow("NeverReplies", .originalAtLimit),
    // Rule 32: the content is copied at the call.
    SampleRow("ChangesAfterReply", .shown(body: "Before")),
    SampleRow("ReplyWithoutText", .originalWithoutText),
  ]

  static let files: [SampleRow] = [
    // Rules 47 and 64: the extension's folders and the app group's container.
    SampleRow("PictureInTemporaryFolder", .picture()),
    SampleRow("PictureInUniqueFolder", .picture()),
    SampleRow("PictureInCaches", .picture()),
    SampleRow("PictureInDocuments", .picture()),
    SampleRow("PictureInAppGroup", .picture()),
    SampleRow("PictureInUnknownAppGroup", .text),
    SampleRow("AvatarOfAppGroup", .picture()),
    // Rules 55 and 65.
    SampleRow("PictureOfBundle", .picture()),
    SampleRow("PictureReplaced", .picture()),
    // Rule 48: error 101, unless the type is named.
    SampleRow("PictureWithoutExtension", .text),
    SampleRow("PictureWithTypeHint", .picture()),
    // Rule 46: the file must exist at the call of the handler; rule 33: it is moved by then.
    SampleRow("PictureDeletedBeforeReply", .shown(refusedBy: .attachmentReadable)),
    SampleRow("PictureDeletedAfterReply", .picture()),
    SampleRow("PictureNeverWritten", .shown(body: "no file")),
  ]

  static let media: [SampleRow] = [
    SampleRow("AttachesGIF", .shown(["com.compuserve.gif"])),
    SampleRow("AttachesSound", .shown(["com.microsoft.waveform-audio"])),
    SampleRow("AttachesWithThumbnail", .picture()),
    // Rule 63: the content must be of the type's kind.
    SampleRow("AttachesPNGAsJPEG", .shown(["public.jpeg"])),
    SampleRow("AttachesPNGAsMovie", .shown(refusedBy: .attachmentContent)),
    SampleRow("AttachesText", .shown(refusedBy: .attachmentContent)),
    // Rule 48: error 101.
    SampleRow("AttachesWebP", .text),
    // Rules 50 and 53.
    SampleRow("AttachesOneFileTwice", .shown(["public.png"], refusedBy: .attachmentSameFile)),
  ]

  static let parsing: [SampleRow] = [
    SampleRow("DecryptsText", .shown(body: "Meet at noon")),
    SampleRow("DecryptsWithoutKey", .textAtExpiry),
    // Rule 4: the payload is `userInfo`.
    SampleRow("DecodesBase64", .shown(body: "Lunch?")),
    SampleRow("DecodesJSONText", .shown(title: "Ann", body: "Lunch?")),
    SampleRow("DecodesUserInfo", .shown(body: "Hello from cdn.example")),
    SampleRow("ReadsAPS", .shown(body: "Hello!")),
    SampleRow("SwallowsError", .text),
    SampleRow("RemovesMarkup", .shown(body: "Lunch at noon")),
    // A number is an `NSNumber`, which is any type that can represent it.
    SampleRow("FormatsDate", .shown(body: "14 November 2023")),
    // Rule 65.
    SampleRow("ReadsInfoPlist", .shown(body: "cdn.example")),
    // The app has counted to 4.
    SampleRow("BadgeOfAppGroup", .shown(badge: 5)),
    SampleRow("BadgeByKeyValueCoding", .shown(badge: 4)),
    SampleRow("BadgeInFile", .shown(badge: 1)),
    SampleRow("StoresUserInfo", .shown(body: "<b>Lunch</b> at noon false")),
  ]

  static let faults: [SampleRow] = [
    // Rule 60.
    SampleRow(
      "TrapsOnError",
      ok: .picture(), notFound: .original(endedBy: .crashed), html: .refusedPage,
      slow: .originalAtLimit, redirect: .picture(), offline: .original(endedBy: .crashed),
      broken: .original(endedBy: .crashed), large: .original(endedBy: .crashed)
    ).inProcessOfItsOwn.withTime(of: .seconds(5)),
    SampleRow("TrapsOnMissingKey", .original(endedBy: .crashed)).inProcessOfItsOwn,
    SampleRow("TrapsOnQueue", .original(endedBy: .crashed)).inProcessOfItsOwn,
    SampleRow("RecursesForever", .original(endedBy: .crashed)).inProcessOfItsOwn,
    // Dispatch traps for a queue that waits for itself.
    SampleRow("WaitsForOwnQueue", .original(endedBy: .crashed)).inProcessOfItsOwn,
    // Rules 59 and 61.
    SampleRow("ExitsWithoutReply", .original(endedBy: .exited)).inProcessOfItsOwn,
    SampleRow("UsesTooMuchMemory", .original(endedBy: .memoryLimit)).inProcessOfItsOwn,
    // Rule 29: the warning comes on another thread than the one that loops or waits.
    SampleRow("LoopsForever", .textAtExpiry).inProcessOfItsOwn
      .withTime(of: .seconds(31), grace: .seconds(30)),
    SampleRow("WaitsForever", .originalAtLimit).withTime(of: .seconds(5)),
    SampleRow("LoopsAfterReply", .text).inProcessOfItsOwn,
    SampleRow("ComputesOnQueue", .shown(body: "computed")),
    // The main run loop of a test's process does not run.
    SampleRow("TimerOnMainRunLoop", .text).inProcessOfItsOwn,
  ]
}
