import PushPayload

extension LintRules {
  /// Rules about media files and whether iOS shows them.
  static let media: [LintRule] = [
    LintRule(
      "M701", .error, summary: "the media URL is of a type that iOS does not show",
      why: """
        Notifications show AIFF, WAV, MP3 and MPEG-4 audio, JPEG, GIF and PNG, MPEG, MPEG-2, MPEG-4 and AVI. \
        iOS refuses WebP, SVG, AVIF, WebM and PDF with “Unrecognized attachment file type”.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://example.com/a.webp"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://example.com/a.jpg"}}"#,
      fix: "convert it on the server: JPEG for photos, MP4 for movies"
    ) { subject in
      subject.references.compactMap { media in
        guard let type = MediaType(urlPath: media.url), !type.isSupported else { return nil }
        return LintFinding(
          media.path.description, "ends in .\(type.preferredExtension), which iOS does not show")
      }
    },
    LintRule(
      "M702", .warning, summary: "the declared type does not match the URL",
      why: """
        The key, or the type beside the URL, declares one type, and the URL's extension is of another. \
        Readers that trust the payload give the file a wrong extension, by which iOS decides.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://example.com/a.mp4"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"video_url": "https://example.com/a.mp4"}}"#,
      fix: "use the key for this type of media, or correct the type"
    ) { subject in
      subject.references.compactMap { media in
        guard let type = MediaType(urlPath: media.url), type.isSupported else { return nil }
        let family = media.declaredType?.family ?? media.declaredFamily
        let isSame = media.declaredType.map { $0 == type || $0.family != type.family } ?? true
        if let family, family != .other, family != type.family {
          return LintFinding(
            media.path.description,
            "ends in .\(type.preferredExtension), and the payload declares \(family)")
        }
        return isSame
          ? nil
          : LintFinding(
            media.path.description,
            "ends in .\(type.preferredExtension), and the payload declares another type")
      }
    },
    LintRule(
      "M703", .note, summary: "Apple does not list the media type, although iOS shows it",
      why: """
        iOS has been seen to accept HEIC, QuickTime, M4V, CAF and 3GPP, which are not in Apple's table. Other \
        versions of iOS may refuse them.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"video_url": "https://example.com/a.mov"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"video_url": "https://example.com/a.mp4"}}"#,
      fix: "send JPEG, PNG, GIF, MP4, M4A, MP3, WAV or AIFF"
    ) { subject in
      let unlisted: Set<MediaType> = [.heic, .quickTime, .m4v, .caf, .threeGPP, .aifc]
      return subject.references.compactMap { media in
        guard let type = media.declaredType ?? MediaType(urlPath: media.url),
          unlisted.contains(type)
        else { return nil }
        return LintFinding(
          media.path.description, "is \(type.identifier), which Apple's table does not list")
      }
    },
    LintRule(
      "M704", .warning, summary: "the payload has the same media URL twice",
      why:
        "The file is downloaded and attached twice, which takes time and data from other files.",
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "att": {"a": "https://example.com/a.jpg", "b": "https://example.com/a.jpg"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "att": {"a": "https://example.com/a.jpg", "b": "https://example.com/b.jpg"}}"#,
      fix: "list each file once"
    ) { subject in
      var seen: Set<String> = []
      return subject.request.media.map(\.wanted).filter { !seen.insert($0.url).inserted }
        .map { LintFinding($0.path.description, "is in the payload already") }
    },
    LintRule(
      "M705", .note, summary: "a movie has no poster or alternative text",
      why: """
        A movie may have 50 MB, and the extension has 30 seconds. On a slow network and in Low Data Mode \
        people see the poster or the alternative text instead; without either they see the original \
        text only. The rule applies to dialects that have a key for one of them.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"video_url": "https://example.com/a.mp4"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"video_url": "https://example.com/a.mp4", "image_url": "https://example.com/a.jpg"}}"#,
      fix: "add a picture or an alternative text under the dialect's key"
    ) { subject in
      guard subject.request.alternativeText == nil, subject.canHavePoster else { return [] }
      return subject.request.media.filter { media in
        let type = media.wanted.declaredType ?? MediaType(urlPath: media.wanted.url)
        let family = type?.family ?? media.wanted.declaredFamily
        return family == .movie && media.alternatives.isEmpty && media.wanted.isRemote
      }.map { LintFinding($0.wanted.path.description, "is a movie without a poster") }
    },
  ]
}

extension LintSubject {
  /// Whether the payload's dialect has a key for a poster, a second URL or an alternative text.
  fileprivate var canHavePoster: Bool {
    guard let dialect = DialectTable.standard.dialects.first(where: { $0.id == request.dialect })
    else { return false }
    // A picture that a later rule reads becomes the poster of a single movie.
    let picture = dialect.media.lastIndex { $0.family == .image } ?? 0
    return !dialect.alternativeText.isEmpty
      || dialect.media.contains { !$0.posters.isEmpty || !$0.alternatives.isEmpty }
      || dialect.media.prefix(picture).contains { $0.family != .image }
  }

  /// The media files that may be downloaded, including alternatives.
  var references: [MediaReference] { request.media.flatMap { [$0.wanted] + $0.alternatives } }
}

extension MediaReference {
  /// The URL's scheme in lowercase; `nil` if it has none, such as the name of a bundled file.
  var scheme: String? {
    guard let colon = url.firstIndex(of: ":") else { return nil }
    let word = url[..<colon]
    return word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
      ? word.lowercased() : nil
  }

  /// Whether the file is on a server.
  var isRemote: Bool { ["https", "http"].contains(scheme) }
}
