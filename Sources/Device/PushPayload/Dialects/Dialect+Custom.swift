extension Dialect.ID {
  /// The app's own keys.
  public static let custom = Self(rawValue: "custom")
}

extension Dialect {
  /// Makes a dialect of the app's own keys.
  ///
  /// - Parameters:
  ///   - media: The paths of media URLs, the preferred first.
  ///   - alternativeText: The paths of the text that replaces the body if the media cannot be shown.
  ///   - title: The paths of the text that replaces the title.
  ///   - subtitle: The paths of the text that replaces the subtitle.
  ///   - body: The paths of the text that replaces the body.
  /// - Returns: The dialect; put it first in a table with ``DialectTable/preceded(by:)``, so that the app's own
  ///   keys are preferred.
  public static func custom(
    media: [PayloadPath], alternativeText: [PayloadPath] = [], title: [PayloadPath] = [],
    subtitle: [PayloadPath] = [], body: [PayloadPath] = []
  ) -> Dialect {
    let paths = media + alternativeText + title + subtitle + body
    return Dialect(
      .custom, signature: paths.map(Signature.present), media: media.map { MediaRule($0) }
    ) {
      $0.alternativeText = alternativeText
      $0.title = title
      $0.subtitle = subtitle
      $0.body = body
    }
  }
}
