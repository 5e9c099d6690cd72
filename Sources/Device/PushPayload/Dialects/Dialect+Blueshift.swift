extension Dialect.ID {
  /// Blueshift: keys that begin with `bsft_`.
  public static let blueshift = Self(rawValue: "blueshift")
}

extension Dialect {
  /// Blueshift: a URL for each kind of media, or a carousel; all media are attached.
  public static let blueshift = {
    let isCarousel = Signature.any(
      .equals("aps.category", "carousel"), .equals("aps.category", "carousel_animation"))
    return Dialect(
      .blueshift, signature: [.keyPrefix("bsft_"), "carousel_elements"],
      media: [
        MediaRule("carousel_elements[]", url: "image_url", family: .image, if: isCarousel),
        .image("image_url", if: .not(isCarousel)),
        MediaRule("video_url", family: .movie, if: .not(isCarousel)),
        .image("gif_url", if: .not(isCarousel)),
        MediaRule("audio_url", family: .audio, if: .not(isCarousel)),
      ]
    ) {
      $0.attachesAllKinds = true
      $0.buttons = [
        ButtonRule(
          "actions[]", identifier: ["identifier"], title: ["title"], url: ["deep_link_url"],
          kind: "type",
          traits: [
            "destructive": .destructive, "authenticationRequired": .requiresUnlock,
            "none": .background,
          ]
        ) {
          $0.condition = .not(isCarousel)
          $0.maximumCount = 5
          $0.numbering = "BSPushIdentifier_"
          $0.countsSkipped = true
        }
      ]
      $0.buttonsBesideCategory = .neededForAny
      $0.deepLink = ["clk_url", "deep_link_url"]
      $0.messageID = ["bsft_message_uuid"]
    }
  }()
}
