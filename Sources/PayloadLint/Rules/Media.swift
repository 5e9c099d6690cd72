import PushPayload

extension LintRules {
  /// Whether iOS shows such media.
  static let media: [LintRule] = [
    LintRule(
      "M701", .error, "the media URL leads to a type that iOS does not show",
      why: """
        Notifications show AIFF, WAV, MP3 and MPEG-4 audio, JPEG, GIF and PNG, MPEG, MPEG-2, MPEG-4 and \
        AVI. WebP, SVG, AVIF, WebM and PDF are refused with “Unrecognized attachment file type”.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://example.com/a.webp"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://example.com/a.jpg"}}"#,
      fix: "convert it on the server: JPEG for photos, MP4 for films"
    ) { subject in
      subject.references.compactMap { media in
        guard let type = MediaType(urlPath: media.url), !type.isSupported else { return nil }
        return LintFinding(
          media.path.description, "ends in .\(type.preferredExtension), which iOS does not show")
      }
    },
    LintRule(
      "M702", .warning, "declared type and URL disagree",
      why: """
        The key or the type beside the URL says one kind of media, the URL's ending another. Readers that \
        believe the payload give the file a wrong name, and iOS goes by the name.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"image_url": "https://example.com/a.mp4"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"video_url": "https://example.com/a.mp4"}}"#,
      fix: "use the key for this kind of media, or correct the type"
    ) { subject in
      subject.references.compactMap { media in
        guard let type = MediaType(urlPath: media.url), type.isSupported else { return nil }
        let family = media.declaredType?.family ?? media.declaredFamily
        let isSame = media.declaredType.map { $0 == type || $0.family != type.family } ?? true
        if let family, family != .other, family != type.family {
          return LintFinding(
            media.path.description,
            "ends in .\(type.preferredExtension), and the payload says \(family)")
        }
        return isSame
          ? nil
          : LintFinding(
            media.path.description,
            "ends in .\(type.preferredExtension), and the payload says another type")
      }
    },
    LintRule(
      "M703", .note, "the type is shown, although Apple does not list it",
      why: """
        HEIC, QuickTime, M4V, CAF and 3GPP are accepted in practice and missing from Apple's table. An \
        older iOS may refuse them.
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
      "M704", .warning, "the same URL stands twice",
      why:
        "The same picture is fetched and attached twice, at the cost of another one's time and bytes.",
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "att": {"a": "https://example.com/a.jpg", "b": "https://example.com/a.jpg"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "att": {"a": "https://example.com/a.jpg", "b": "https://example.com/b.jpg"}}"#,
      fix: "list each file once"
    ) { subject in
      var seen: Set<String> = []
      return subject.content.media.map(\.wanted).filter { !seen.insert($0.url).inserted }
        .map { LintFinding($0.path.description, "stands in the payload before") }
    },
    LintRule(
      "M705", .note, "a film has nothing smaller to stand in for it",
      why: """
        A film may have 50 MB, the extension has 30 seconds. On a slow network, and in Low Data Mode, a \
        poster or an alternative text is what people see; without either they see the bare text.
        """,
      bad:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"video_url": "https://example.com/a.mp4"}}"#,
      good:
        #"{"aps": {"alert": "Look", "mutable-content": 1}, "_st": {"video_url": "https://example.com/a.mp4", "image_url": "https://example.com/a.jpg"}}"#,
      fix: "add a picture, where the dialect has a place for one"
    ) { subject in
      guard subject.content.alternativeText == nil else { return [] }
      return subject.content.media.filter { media in
        let type = media.wanted.declaredType ?? MediaType(urlPath: media.wanted.url)
        let family = type?.family ?? media.wanted.declaredFamily
        return family == .movie && media.alternatives.isEmpty && media.wanted.isRemote
      }.map { LintFinding($0.wanted.path.description, "is a film without a poster") }
    },
  ]
}

extension LintSubject {
  /// Everything that may be fetched, what stands in for others included.
  var references: [MediaReference] { content.media.flatMap { [$0.wanted] + $0.alternatives } }
}

extension MediaReference {
  /// What stands before the first colon, lower case; `nil` for a bare name.
  var scheme: String? {
    guard let colon = url.firstIndex(of: ":") else { return nil }
    let word = url[..<colon]
    return word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
      ? word.lowercased() : nil
  }

  /// Whether it lies on a server.
  var isRemote: Bool { ["https", "http"].contains(scheme) }
}
