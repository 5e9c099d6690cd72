extension Dialect.ID {
  /// WebEngage: `expandableDetails`.
  public static let webEngage = Self(rawValue: "webengage")
}

extension Dialect {
  /// WebEngage: one picture or a carousel, by the layout that `style` names.
  ///
  /// Its texts (`rt`, `rst`, `rm`) are HTML for WebEngage's view of the expanded notification and replace nothing.
  public static let webEngage = {
    let hasStyle = { (styles: [String]) in
      Signature.any(styles.map { .equals("expandableDetails.style", $0) })
    }
    let isCarousel = hasStyle(["CAROUSEL_V1"])
    let isPicture = hasStyle(["BIG_PICTURE", "OVERLAY", "RATING_V1"])
    return Dialect(
      .webEngage, signature: [.equals("source", "webengage")],
      media: [
        MediaRule("expandableDetails.items[]", url: "image", family: .image, if: isCarousel),
        .image("expandableDetails.image", if: isPicture),
      ]
    ) {
      $0.mediaKeysNameVendor = true
      $0.messageID = ["notification_id"]
    }
  }()
}
