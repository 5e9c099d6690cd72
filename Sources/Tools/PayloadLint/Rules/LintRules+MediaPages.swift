import PushPayload

extension LintRules {
  /// Rules about URLs of something other than the media file: a template, a page, an expired signature.
  static let mediaPages: [LintRule] = [
    LintRule(
      "M725", .error, summary: "a placeholder in a media URL was not filled in",
      why: """
        Nothing on the way to the device replaces placeholders. The server does not have the file \
        `{{image}}`, so the notification is shown without media.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://example.com/{{image}}"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://example.com/a.jpg"}}"#,
      fix: "render the template before sending, and leave the key out if the value is missing"
    ) { subject in
      subject.references.filter { $0.url.hasURLPlaceholder }
        .map { LintFinding($0.path.description, "contains a placeholder of a template") }
    },
    LintRule(
      "M726", .error, summary: "the media URL is that of a page",
      why: """
        The server answers with an HTML page that shows the picture or the movie. iOS attaches files only, \
        so the notification is shown without media.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://drive.google.com/file/d/1a2b3c/view"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://drive.google.com/uc?export=download&id=1a2b3c"}}"#,
      fix: "write the URL of the file itself, which a browser shows without anything around it"
    ) { subject in
      subject.references.compactMap { media in
        MediaURL(media.url).flatMap { MediaPage($0) }.map {
          LintFinding(media.path.description, "is \($0.name), not a file; \($0.remedy)")
        }
      }
    },
    LintRule(
      "M727", .error, summary: "the signature of the media URL is not valid",
      why: """
        S3, Google Cloud Storage, CloudFront, Azure and the CDNs of chat services answer 403 after the time in \
        the URL. S3 and Google Cloud Storage also refuse a version 4 signature for more than seven days \
        (604800 seconds).
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://bucket.s3.amazonaws.com/a.jpg?X-Amz-Date=20260102T090000Z&X-Amz-Expires=2592000&X-Amz-Signature=ab12"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://cdn.example.com/a.jpg"}}"#,
      fix: "sign the URL when the push is sent, or serve the file without a signature"
    ) { subject in
      subject.signedURLs.compactMap { path, url, end in
        if let now = subject.now, let end, end <= now {
          return LintFinding(path, "has a signature that has expired")
        }
        guard let duration = url.signedDuration, duration > MediaURL.longestSignature else {
          return nil
        }
        return LintFinding(
          path, "is signed for \(duration) seconds; the limit is \(MediaURL.longestSignature)")
      }
    },
    LintRule(
      "M728", .note, summary: "the signature of the media URL expires before the message",
      why: """
        APNs keeps a push for a device that is off, until the time in `apns-expiration`. A device that gets \
        the push after the signature has expired shows it without media. Where no expiration is given, the \
        rule looks one day ahead.
        """,
      bad: .init(
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://cdn.example.com/a.jpg?Expires=4070908800&Key-Pair-Id=K1&Signature=ab12"}}"#,
        .init(expiration: "4102444800")),
      good: .init(
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://cdn.example.com/a.jpg?Expires=4102444800&Key-Pair-Id=K1&Signature=ab12"}}"#,
        .init(expiration: "4070908800")),
      fix: "sign it for longer than the message lives, or let the message expire earlier"
    ) { subject in
      guard let now = subject.now, let last = subject.latestDelivery(from: now) else { return [] }
      return subject.signedURLs.compactMap { path, _, end in
        guard let end, end > now, end < last else { return nil }
        return LintFinding(path, "has a signature that expires before the message does")
      }
    },
    LintRule(
      "M729", .warning, summary: "the media URL is a path without a host",
      why: """
        An address without a scheme and a host names a file in the extension's bundle or in its app group. A device \
        does not know from which server the payload comes.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "uploads/a.jpg"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://example.com/uploads/a.jpg"}}"#,
      fix: "write https:// and the host before it, unless the app brings the file along"
    ) { subject in
      subject.references.filter { media in
        media.scheme == nil && media.url.contains("/") && media.problem == nil
          && !media.url.hasURLPlaceholder
      }.map { LintFinding($0.path.description, "is a path; it is looked up in the app only") }
    },
  ]
}

extension LintSubject {
  /// The media URLs and the times at which their signatures expire.
  fileprivate var signedURLs: [(path: String, url: MediaURL, end: Int64?)] {
    references.compactMap { media in
      guard media.url.contains("?"), let url = MediaURL(media.url) else { return nil }
      return (media.path.description, url, url.expiration)
    }
  }

  /// The latest time at which APNs may deliver the push; `nil` if it makes a single attempt.
  fileprivate func latestDelivery(from now: Int64) -> Int64? {
    guard let text = headers.expiration else { return now + 86_400 }
    guard let time = Int64(text), time > now, !UnixTime.isMilliseconds(time) else { return nil }
    return time
  }
}

extension String {
  /// Whether a URL has a placeholder; braces and angle brackets are not valid in URLs.
  var hasURLPlaceholder: Bool { hasPlaceholder || contains { "{}<>".contains($0) } }
}
