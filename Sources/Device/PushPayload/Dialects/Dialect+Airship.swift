extension Dialect.ID {
  /// Airship: `com.urbanairship.media_attachment`.
  public static let airship = Self(rawValue: "airship")
}

extension Dialect {
  /// Airship: one URL, or several with identifiers, the thumbnail's options, and texts; and the form of Accengage, which
  /// Airship took over.
  public static let airship = {
    let attachment = #"com\.urbanairship\.media_attachment"#
    let path = { PayloadPath(attachment + $0) }
    let thumbnail = ThumbnailRule(
      hidden: PayloadPath("$." + attachment + ".options.hidden"),
      crop: PayloadPath("$." + attachment + ".options.crop"),
      time: PayloadPath("$." + attachment + ".options.time"),
      chosen: PayloadPath("$." + attachment + ".thumbnail_id"))
    let isAccengage = Signature.present(path(".a4sid"))
    return Dialect(
      .airship,
      signature: [
        .present(path("")), #"com\.urbanairship\.metadata"#,
        #"com\.urbanairship\.interactive_actions"#, "a4sid",
      ],
      media: [
        MediaRule(
          path(".acc-atts[]"), url: "att-url", identifier: "att-id", thumbnail: thumbnail,
          if: isAccengage),
        MediaRule(
          path(".urls[]"), url: "url", identifier: "url_id", thumbnail: thumbnail,
          if: .absent(path(".a4sid"))),
        MediaRule(path(".url[]"), thumbnail: thumbnail, if: .absent(path(".urls"))),
      ]
    ) {
      $0.mediaKeysNameVendor = true
      // Airship's decoder wants one of these lists, and ignores texts without any.
      $0.textCondition = .any([".url", ".urls", ".acc-atts"].map { .present(path($0)) })
      $0.title = [path(".content.title")]
      $0.subtitle = [path(".content.subtitle")]
      $0.body = [path(".content.body")]
      $0.deepLink = ["^d", "deep_link_action", "a4surl"]
      $0.messageID = ["_", "a4sid"]
    }
  }()
}
