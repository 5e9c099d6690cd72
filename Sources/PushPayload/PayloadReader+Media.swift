extension PayloadReader {
  /// What the first rule that holds media asks for; a picture of a later rule stands in for a film.
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

  private mutating func poster(_ rules: ArraySlice<MediaRule>, in scopes: [Scope])
    -> MediaReference?
  {
    for rule in rules {
      for scope in scopes {
        let found = media(rule, in: scope).map(\.wanted).first { $0.family == .image }
        if let found { return found }
      }
    }
    return nil
  }

  private mutating func media(_ rule: MediaRule, in scope: Scope) -> [RichMedia] {
    let items = items(rule.item, in: scope, atMost: Dialect.maximumMedia)
    var media = items.compactMap { item in
      one(rule, in: Scope(top: scope.top, item: item))
    }
    if let chosen = text(rule.thumbnail?.chosen, in: scope),
      media.contains(where: { $0.identifier == chosen })
    {
      for index in media.indices where media[index].identifier != chosen {
        media[index].thumbnail.isHidden = true
      }
    }
    return media
  }

  private mutating func one(_ rule: MediaRule, in scope: Scope) -> RichMedia? {
    guard let (url, place) = text([rule.url], in: scope) else { return nil }
    var wanted = MediaReference(url: url, path: place.path, declaredFamily: rule.family)
    declare(rule.type, of: &wanted, in: scope)
    wanted.sha256 = sha256(rule.sha256, in: scope)
    var media = RichMedia(wanted)
    media.identifier = name(rule.identifier.map { [$0] } ?? [], in: scope) ?? scope.item.name
    for path in rule.alternatives {
      guard let (url, place) = text([path], in: scope) else { continue }
      var other = MediaReference(url: url, path: place.path, declaredFamily: rule.family)
      other.deepLink = text(rule.alternativeDeepLink, in: scope)
      media.alternatives.append(other)
    }
    for path in rule.posters {
      guard let (url, place) = text([path], in: scope) else { continue }
      media.alternatives.append(
        MediaReference(url: url, path: place.path, declaredFamily: .image))
    }
    if let rule = rule.thumbnail { media.thumbnail = thumbnail(rule, in: scope) }
    return media
  }

  private mutating func declare(
    _ field: TypeField?, of media: inout MediaReference, in scope: Scope
  ) {
    guard let field, let (word, place) = text(field.paths, in: scope) else { return }
    let type = field.type(word)
    media.declaredType = type
    if let family = type?.family ?? field.family(word), family != .other {
      media.declaredFamily = family
    } else {
      note(place, "is no type that iOS shows", code: .outOfRange)
    }
  }

  /// What is no SHA-256 is kept, so that no file ever matches it: a promise that cannot be checked
  /// must not be taken for one that was never made.
  private mutating func sha256(_ path: PayloadPath?, in scope: Scope) -> String? {
    guard let path, let place = places(path, in: scope, atMost: 1).first else { return nil }
    if place.value.string?.isEmpty == true { return nil }
    let text = place.value.string?.lowercased() ?? place.value.typeName
    if text.utf8.count != 64 || !text.allSatisfy(\.isHexDigit) {
      note(place, "is no SHA-256: it takes 64 hexadecimal digits", code: .outOfRange)
    }
    return text
  }

  private mutating func thumbnail(_ rule: ThumbnailRule, in scope: Scope) -> ThumbnailOptions {
    var options = ThumbnailOptions()
    options.isHidden = flag(rule.hidden, in: scope)
    if let path = rule.time {
      options.time =
        first([path], in: scope, "seconds from 0") { value in
          value.number.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        }?.value
    }
    if let path = rule.crop {
      options.clippingRect =
        first([path], in: scope, "x, y, width and height, each from 0 to 1", UnitRect.init)?.value
    }
    return options
  }
}

extension UnitRect {
  fileprivate init?(_ value: JSONValue) {
    guard let x = value["x"]?.number, let y = value["y"]?.number,
      let width = value["width"]?.number, let height = value["height"]?.number
    else { return nil }
    self.init(x: x, y: y, width: width, height: height)
  }
}

extension MediaReference {
  /// The family that it is said to have, or that its URL's extension means.
  fileprivate var family: MediaType.Family? {
    declaredType?.family ?? declaredFamily ?? MediaType(urlPath: url)?.family
  }
}

extension TypeField {
  fileprivate func type(_ word: String) -> MediaType? {
    let suffix = { MediaType(pathExtension: word.hasPrefix(".") ? String(word.dropFirst()) : word) }
    let identifier = { MediaType(identifier: word) ?? MediaType(mimeType: word) }
    switch meaning {
    case .suffix: return suffix()
    case .mediaClass: return word.lowercased() == "gif" ? .gif : nil
    case .identifier: return identifier()
    case .any: return identifier() ?? suffix()
    }
  }

  fileprivate func family(_ word: String) -> MediaType.Family? {
    let word = word.lowercased()
    switch meaning {
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
