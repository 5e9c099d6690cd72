import UserNotifications

/// The extensions of this module by name.
///
/// Each stands for what published extensions do, and has one feature. They are compiled in the Swift 5 mode, as most
/// apps are.
public enum SampleCatalog {
  /// The names in alphabetical order.
  public static var names: [String] { makers.keys.sorted() }

  /// Creates an extension; `nil` if there is none with this name.
  public static func make(_ name: String) -> UNNotificationServiceExtension? { makers[name]?() }

  private typealias Makers = [String: () -> UNNotificationServiceExtension]

  private static let makers: Makers = [
    replies, files, media, fetching, failures, sessions,
    parsing, faults,
  ].reduce(into: [:]) { all, group in all.merge(group) { first, _ in first } }

  private static let replies: Makers = [
    "ReplyAtOnce": { ReplyAtOnce() },
    "ReplyWithOriginal": { ReplyWithOriginal() },
    "ReplyInDefer": { ReplyInDefer() },
    "ReplyByProperty": { ReplyByProperty() },
    "ReplyOnGlobalQueue": { ReplyOnGlobalQueue() },
    "ReplyOnSerialQueue": { ReplyOnSerialQueue() },
    "ReplyOnMainQueue": { ReplyOnMainQueue() },
    "ReplyByWorkItem": { ReplyByWorkItem() },
    "ReplyOnOperationQueue": { ReplyOnOperationQueue() },
    "ReplyAfterGroup": { ReplyAfterGroup() },
    "ReplyInTask": { ReplyInTask() },
    "ReplyInDetachedTask": { ReplyInDetachedTask() },
    "ReplyOnMainActor": { ReplyOnMainActor() },
    "ReplyAfterTaskGroup": { ReplyAfterTaskGroup() },
    "ReplyAfterAsyncLet": { ReplyAfterAsyncLet() },
    "ReplyInThread": { ReplyInThread() },
    "ReplyAfterDelay": { ReplyAfterDelay() },
    "ReplyAfterTaskSleep": { ReplyAfterTaskSleep() },
    "ReplyAfterMainSync": { ReplyAfterMainSync() },
    "ReplyOnlyAtExpiry": { ReplyOnlyAtExpiry() },
    "ReplyAfterExpiry": { ReplyAfterExpiry() },
    "ReplyTooLate": { ReplyTooLate() },
    "NeverReplies": { NeverReplies() },
    "RepliesTwice": { RepliesTwice() },
    "ChangesAfterReply": { ChangesAfterReply() },
    "ReplyWithoutText": { ReplyWithoutText() },
  ]

  private static let files: Makers = [
    "PictureInTemporaryFolder": { PictureInTemporaryFolder() },
    "PictureInUniqueFolder": { PictureInUniqueFolder() },
    "PictureInCaches": { PictureInCaches() },
    "PictureInDocuments": { PictureInDocuments() },
    "PictureInAppGroup": { PictureInAppGroup() },
    "PictureInUnknownAppGroup": { PictureInUnknownAppGroup() },
    "AvatarOfAppGroup": { AvatarOfAppGroup() },
    "PictureOfBundle": { PictureOfBundle() },
    "PictureReplaced": { PictureReplaced() },
    "PictureWithoutExtension": { PictureWithoutExtension() },
    "PictureWithTypeHint": { PictureWithTypeHint() },
    "PictureDeletedBeforeReply": { PictureDeletedBeforeReply() },
    "PictureDeletedAfterReply": { PictureDeletedAfterReply() },
    "PictureNeverWritten": { PictureNeverWritten() },
  ]

  private static let media: Makers = [
    "AttachesGIF": { AttachesGIF() },
    "AttachesPNGAsJPEG": { AttachesPNGAsJPEG() },
    "AttachesPNGAsMovie": { AttachesPNGAsMovie() },
    "AttachesWebP": { AttachesWebP() },
    "AttachesText": { AttachesText() },
    "AttachesSound": { AttachesSound() },
    "AttachesOneFileTwice": { AttachesOneFileTwice() },
    "AttachesWithThumbnail": { AttachesWithThumbnail() },
  ]

  private static let fetching: Makers = [
    "DownloadMoved": { DownloadMoved() },
    "DownloadWithSuggestedName": { DownloadWithSuggestedName() },
    "DownloadNotMoved": { DownloadNotMoved() },
    "DownloadWithTypeHint": { DownloadWithTypeHint() },
    "DownloadRepliesLater": { DownloadRepliesLater() },
    "DataTaskWritten": { DataTaskWritten() },
    "DataTaskChecksStatus": { DataTaskChecksStatus() },
    "DataTaskChecksType": { DataTaskChecksType() },
    "DataContentsOf": { DataContentsOf() },
    "NSDataContentsOf": { NSDataContentsOf() },
    "DataContentsOfOnQueue": { DataContentsOfOnQueue() },
    "StringContentsOf": { StringContentsOf() },
    "AsyncData": { AsyncData() },
    "AsyncDownload": { AsyncDownload() },
    "ContinuationAroundTask": { ContinuationAroundTask() },
    "SemaphoreAroundTask": { SemaphoreAroundTask() },
    "SemaphoreWithTimeout": { SemaphoreWithTimeout() },
    "JSONThenPicture": { JSONThenPicture() },
    "RequestWithHeaders": { RequestWithHeaders() },
  ]

  private static let failures: Makers = [
    "RequestTimeout": { RequestTimeout() },
    "SessionTimeout": { SessionTimeout() },
    "SafetyDeadline": { SafetyDeadline() },
    "WorkItemDeadline": { WorkItemDeadline() },
    "TimerWithoutRunLoop": { TimerWithoutRunLoop() },
    "TaskGroupDeadline": { TaskGroupDeadline() },
    "CancelsAtExpiry": { CancelsAtExpiry() },
    "NoExpiryHandler": { NoExpiryHandler() },
    "RepliesOnSuccessOnly": { RepliesOnSuccessOnly() },
    "FallsBackToSecondServer": { FallsBackToSecondServer() },
    "RetriesThreeTimes": { RetriesThreeTimes() },
    "FallsBackToBundle": { FallsBackToBundle() },
    "TwoPictures": { TwoPictures() },
    "RepliesAgainWithPicture": { RepliesAgainWithPicture() },
    "ReportsAttachmentError": { ReportsAttachmentError() },
  ]

  private static let sessions: Makers = [
    "StaticSession": { StaticSession() },
    "StaticSessionInTask": { StaticSessionInTask() },
    "SharedLoader": { SharedLoader() },
    "LoaderActor": { LoaderActor() },
    "LoadsOnMainActor": { LoadsOnMainActor() },
    "LoadsInOperation": { LoadsInOperation() },
    "QueueToQueue": { QueueToQueue() },
    "LoadsInThread": { LoadsInThread() },
    "LoadsByStream": { LoadsByStream() },
  ]

  private static let parsing: Makers = [
    "DecryptsText": { DecryptsText() },
    "DecryptsWithoutKey": { DecryptsWithoutKey() },
    "DecodesBase64": { DecodesBase64() },
    "DecodesJSONText": { DecodesJSONText() },
    "DecodesUserInfo": { DecodesUserInfo() },
    "ReadsAPS": { ReadsAPS() },
    "SwallowsError": { SwallowsError() },
    "RemovesMarkup": { RemovesMarkup() },
    "FormatsDate": { FormatsDate() },
    "ReadsInfoPlist": { ReadsInfoPlist() },
    "BadgeOfAppGroup": { BadgeOfAppGroup() },
    "BadgeByKeyValueCoding": { BadgeByKeyValueCoding() },
    "BadgeInFile": { BadgeInFile() },
    "StoresUserInfo": { StoresUserInfo() },
  ]

  private static let faults: Makers = [
    "TrapsOnError": { TrapsOnError() },
    "TrapsOnMissingKey": { TrapsOnMissingKey() },
    "TrapsOnQueue": { TrapsOnQueue() },
    "ExitsWithoutReply": { ExitsWithoutReply() },
    "LoopsForever": { LoopsForever() },
    "LoopsAfterReply": { LoopsAfterReply() },
    "WaitsForever": { WaitsForever() },
    "UsesTooMuchMemory": { UsesTooMuchMemory() },
    "RecursesForever": { RecursesForever() },
    "WaitsForOwnQueue": { WaitsForOwnQueue() },
    "ComputesOnQueue": { ComputesOnQueue() },
    "TimerOnMainRunLoop": { TimerOnMainRunLoop() },
  ]
}
