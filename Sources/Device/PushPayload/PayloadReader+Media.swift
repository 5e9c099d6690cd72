extension PayloadReader {
  /// The media of the first rule that finds any.
  ///
  /// If that is a single movie, the first picture that a later rule finds becomes its last alternative.
  mutating func media(_ rules: [MediaRule], in scopes: [Scope]) -> [RichMedia] {
    for (index, rule) in rules.enumerated() {
      for scope in scopes {
        var media = media(rule, in: scope)
        guard !media.isEmpty else { continue }
        if media.count == 1, media[0].wanted.family == .movie {
          let later = rules.dropFirst(index + 1)
          if let poster = poster(later, in: scopes) { media[0].alternatives.append(poster) }
        }
        return media
      }
    }
    return []
  }

  private mutating func poster(
    _ rules: ArraySlice<MediaRule>, in scopes: [Scope]
  ) -> MediaReference? {
    for rule in rules {
      for scope in scopes {
        let found = media(rule, in: scope).map(\.wanted).first { $0.family == .image }
        if let found { return found }
      }
    }
    return nil
  }

  private mutating func media(_ rule: MediaRule, in scope: Scope) -> [RichMedia] {
    let items = items(at: rule.item, in: scope, limit: Dialect.maximumMedia)
    var media = items.compactMap { item in
      medium(rule, in: Scope(top: scope.top, item: item))
    }
    if let chosen = text(at: rule.thumbnail?.chosen, in: scope),
      media.contains(where: { $0.identifier == chosen })
    {
      for index in media.indices where media[index].identifier != chosen {
        media[index].thumbnail.isHidden = true
      }
    }
    return media
  }

  private mutating func medium(_ rule: MediaRule, in scope: Scope) -> RichMedia? {
    guard let (url, value) = text(at: [rule.url], in: scope) else { return nil }
    var wanted = MediaReference(url: url, path: value.path, declaredFamily: rule.family)
    readType(rule.type, of: &wanted, in: scope)
    wanted.sha256 = sha256(at: rule.sha256, in: scope)
    var media = RichMedia(wanted)
    media.identifier =
      identifier(at: rule.identifier.map { [$0] } ?? [], in: scope) ?? scope.item.name
    for path in rule.alternatives {
      guard let (url, value) = text(at: [path], in: scope) else { continue }
      var other = MediaReference(url: url, path: value.path, declaredFamily: rule.family)
      other.deepLink = text(at: rule.alternativeDeepLink, in: scope)
      media.alternatives.append(other)
    }
    for path in rule.posters {
      guard let (url, value) = text(at: [path], in: scope) else { continue }
      media.alternatives.append(
        MediaReference(url: url, path: value.path, declaredFamily: .image))
    }
    if let rule = rule.thumbnail { media.thumbnail = thumbnail(rule, in: scope) }
    return media
  }

  private mutating func readType(
    _ field: TypeField?, of media: inout MediaReference, in scope: Scope
  ) {
    guard let field, let (word, value) = text(at: field.paths, in: scope) else { return }
    let type = field.type(word)
    media.declaredType = type
    if let family = type?.family ?? field.family(word), family != .other {
      media.declaredFamily = family
    } else {
      report(value, "must be a media type that iOS shows", code: .outOfRange)
    }
  }

  /// The SHA-256 that the file must have.
  ///
  /// A value that is not a SHA-256 is reported and kept, so that no file ever matches it: a hash that
  /// cannot be checked must not be treated as if there were none.
  private mutating func sha256(at path: PayloadPath?, in scope: Scope) -> String? {
    guard let path, let value = values(at: path, in: scope, limit: 1).first else { return nil }
    if value.json.string?.isEmpty == true { return nil }
    let text = value.json.string?.lowercased() ?? value.json.typeName
    if text.utf8.count != 64 || !text.allSatisfy(\.isHexDigit) {
      report(value, "must be a SHA-256 of 64 hexadecimal digits", code: .outOfRange)
    }
    return text
  }

  private mutating func thumbnail(_ rule: ThumbnailRule, in scope: Scope) -> ThumbnailOptions {
    var options = ThumbnailOptions()
    options.isHidden = flag(at: rule.hidden, in: scope)
    if let path = rule.time {
      options.time =
        first(at: [path], in: scope, expected: "seconds from 0") { json in
          json.number.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        }?.result
    }
    if let path = rule.crop {
      options.clippingRect =
        first(
          at: [path], in: scope, expected: "x, y, width and height, each from 0 to 1",
          read: UnitRect.init)?.result
    }
    return options
  }
}

extension UnitRect {
  fileprivate init?(_ json: JSONValue) {
    guard let x = json["x"]?.number, let y = json["y"]?.number,
      let width = json["width"]?.number, let height = json["height"]?.number
    else { return nil }
    self.init(x: x, y: y, width: width, height: height)
  }
}

extension MediaReference {
  /// The family that the payload declares, or that the extension in the URL implies.
  fileprivate var family: MediaType.Family? {
    declaredType?.family ?? declaredFamily ?? MediaType(urlPath: url)?.family
  }
}

extension TypeField {
  /// The type that a sender's word means, in the vocabulary of this field.
  fileprivate func type(_ word: String) -> MediaType? {
    let suffix = { MediaType(pathExtension: word.hasPrefix(".") ? String(word.dropFirst()) : word) }
    let identifier = { MediaType(identifier: word) ?? MediaType(mimeType: word) }
    switch vocabulary {
    case .suffix: return suffix()
    case .mediaClass: return word.lowercased() == "gif" ? .gif : nil
    case .identifier: return identifier()
    case .any: return identifier() ?? suffix()
    }
  }

  /// The family that a sender's word names, if the word does not name a single type.
  fileprivate func family(_ word: String) -> MediaType.Family? {
    let word = word.lowercased()
    switch vocabulary {
    case .suffix: return nil
    case .mediaClass: return MediaType.Family(word: word)
    case .identifier, .any:
      // The abstract types `public.image` and `image/*`.
      let name = word.hasPrefix("public.") ? word.dropFirst(7) : word.prefix { $0 != "/" }
      return MediaType.Family(word: String(name))
    }
  }
}

extension MediaType.Family {
  /// The family that a sender's word means.
  fileprivate init?(word: String) {
    switch word {
    case "image", "picture", "photo": self = .image
    case "video", "movie": self = .movie
    case "audio", "sound": self = .audio
    default: return nil
    }
  }
}
