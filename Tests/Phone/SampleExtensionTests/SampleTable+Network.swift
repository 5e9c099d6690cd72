import NotificationHost

// The rows of extensions that use the network.
//
// By default a task of a session waits 60 s for data, longer than an extension has, so that a slow server leaves what
// `serviceExtensionTimeWillExpire` replies. A picture of 11 MB is refused when the attachment is created, with error 102
// of rule 49, and a page that was saved as a picture after the reply, by rule 63.

extension SampleTable {
  static let fetching: [SampleRow] = [
    anyStatus("DownloadMoved"),
    imagesOnly("DownloadWithSuggestedName"),
    // Rule 48: `.tmp` is no type.
    SampleRow(
      "DownloadNotMoved",
      ok: .text, notFound: .text, html: .text, slow: .textAtExpiry, redirect: .text,
      offline: .text, broken: .text, large: .text),
    anyStatus("DownloadWithTypeHint"),
    // Rule 46: the session deletes the file when the completion handler returns.
    SampleRow(
      "DownloadRepliesLater",
      ok: .shown(refusedBy: .attachmentReadable),
      notFound: .shown(refusedBy: .attachmentReadable),
      html: .shown(refusedBy: .attachmentReadable), slow: .textAtExpiry,
      redirect: .shown(refusedBy: .attachmentReadable), offline: .text, broken: .text,
      large: .text),
    anyStatus("DataTaskWritten"),
    status200("DataTaskChecksStatus"),
    imagesOnly("DataTaskChecksType"),
    // `Data(contentsOf:)` throws for an error status.
    status200("DataContentsOf").withTime(of: .seconds(34), grace: .seconds(30)),
    status200("NSDataContentsOf").withTime(of: .seconds(34), grace: .seconds(30)),
    status200("DataContentsOfOnQueue"),
    SampleRow(
      "StringContentsOf",
      ok: .shown(body: "73 characters"), notFound: .text, html: .shown(body: "39 characters"),
      slow: .textAtExpiry, redirect: .shown(body: "73 characters"), offline: .text,
      broken: .text, large: .shown(body: "73 characters")
    ).withTime(of: .seconds(34), grace: .seconds(30)),
    SampleRow(
      "AsyncData",
      ok: .picture(), notFound: .shown(body: "no picture"), html: .refusedPage,
      slow: .textAtExpiry, redirect: .picture(), offline: .shown(body: "no picture"),
      broken: .shown(body: "no picture"), large: .text),
    anyStatus("AsyncDownload"),
    status200("ContinuationAroundTask"),
    anyStatus("SemaphoreAroundTask").withTime(of: .seconds(34), grace: .seconds(30)),
    status200("SemaphoreWithTimeout", slow: .text),
    SampleRow(
      "JSONThenPicture",
      ok: .picture(body: "From the server"), notFound: .text, html: .text, slow: .textAtExpiry,
      redirect: .picture(body: "From the server"), offline: .text, broken: .text,
      large: .shown(body: "From the server")),
    imagesOnly("RequestWithHeaders"),
  ]

  static let failures: [SampleRow] = [
    anyStatus("RequestTimeout", slow: .shown(body: "timed out")),
    anyStatus("SessionTimeout", slow: .text),
    anyStatus("SafetyDeadline", slow: .text),
    // Dispatch's own `asyncAfter` of a work item is not on the host's clock.
    anyStatus("WorkItemDeadline", slow: .text).withOwnTimer,
    // Rule 26: the run loop of that thread does not run, on a phone either.
    anyStatus("TimerWithoutRunLoop"),
    anyStatus("TaskGroupDeadline", slow: .text),
    anyStatus("CancelsAtExpiry", slow: .shown(body: "canceled", expired: true)),
    anyStatus("NoExpiryHandler", slow: .originalAtLimit),
    SampleRow(
      "RepliesOnSuccessOnly",
      ok: .picture(), notFound: .refusedPage, html: .refusedPage, slow: .textAtExpiry,
      redirect: .picture(), offline: .textAtExpiry, broken: .textAtExpiry, large: .textAtExpiry),
    SampleRow(
      "FallsBackToSecondServer",
      ok: .picture(), notFound: .picture(), html: .refusedPage, slow: .textAtExpiry,
      redirect: .picture(), offline: .text, broken: .picture(), large: .text),
    SampleRow(
      "RetriesThreeTimes",
      ok: .picture(), notFound: .shown(body: "failed 3 times"), html: .refusedPage,
      slow: .textAtExpiry, redirect: .picture(), offline: .shown(body: "failed 3 times"),
      broken: .shown(body: "failed 3 times"), large: .text),
    SampleRow(
      "FallsBackToBundle",
      ok: .picture(), notFound: .picture(), html: .refusedPage, slow: .picture(expired: true),
      redirect: .picture(), offline: .picture(), broken: .picture(), large: .picture()),
    // Rule 53: a refused attachment does not affect the other.
    SampleRow(
      "TwoPictures",
      ok: .shown(["public.png", "public.png"]),
      notFound: .shown(["public.png"], refusedBy: .attachmentContent),
      html: .shown(["public.png"], refusedBy: .attachmentContent), slow: .textAtExpiry,
      redirect: .shown(["public.png", "public.png"]), offline: .text, broken: .picture(),
      large: .picture()),
    // Rule 31.
    SampleRow(
      "RepliesAgainWithPicture",
      ok: .text, notFound: .text, html: .text, slow: .text, redirect: .text, offline: .text,
      broken: .text, large: .text),
    SampleRow(
      "ReportsAttachmentError",
      ok: .picture(), notFound: .refusedPage, html: .refusedPage, slow: .textAtExpiry,
      redirect: .picture(), offline: .shown(body: "error 100"),
      broken: .shown(body: "error 100"), large: .shown(body: "error 102")),
  ]

  static let sessions: [SampleRow] = [
    anyStatus("StaticSession"),
    anyStatus("StaticSessionInTask"),
    anyStatus("SharedLoader"),
    anyStatus("LoaderActor"),
    anyStatus("LoadsOnMainActor"),
    anyStatus("LoadsInOperation"),
    anyStatus("QueueToQueue"),
    status200("LoadsInThread"),
    anyStatus("LoadsByStream"),
  ]

  /// The row of an extension that saves any body as a picture.
  private static func anyStatus(_ name: String, slow: Expected = .textAtExpiry) -> SampleRow {
    SampleRow(
      name,
      ok: .picture(), notFound: .refusedPage, html: .refusedPage, slow: slow,
      redirect: .picture(), offline: .text, broken: .text, large: .text)
  }

  /// The row of an extension that saves the body of a success as a picture.
  private static func status200(_ name: String, slow: Expected = .textAtExpiry) -> SampleRow {
    SampleRow(
      name,
      ok: .picture(), notFound: .text, html: .refusedPage, slow: slow, redirect: .picture(),
      offline: .text, broken: .text, large: .text)
  }

  /// The row of an extension that saves a body with the MIME type of an image.
  private static func imagesOnly(_ name: String) -> SampleRow {
    SampleRow(
      name,
      ok: .picture(), notFound: .text, html: .text, slow: .textAtExpiry, redirect: .picture(),
      offline: .text, broken: .text, large: .text)
  }
}
