extension Dialect.ID {
  /// CleverTap: `ct_mediaUrl`, and templates under `pt_…`.
  public static let cleverTap = Self(rawValue: "clevertap")
}

extension Dialect {
  /// CleverTap: one URL with its class; or the pictures of a template, at the top or in one JSON string.
  ///
  /// The template's texts and headings (`pt_title`, `pt_bt1`) belong to CleverTap's view of the expanded notification and
  /// replace nothing; `pt_id` names a layout.
  public static let cleverTap = Dialect(
    .cleverTap,
    signature: [
      "ct_mediaUrl", "ct_ContentSlider", "pt_id", "pt_json", "pt_big_img", "pt_gif", "pt_img1",
      .keyPrefix("wzrk_"), .keyPrefix("W$"),
    ],
    media: [
      MediaRule("ct_mediaUrl", type: .mediaClass("$.ct_mediaType")),
      MediaRule("pt_gif", family: .image, alternatives: ["$.pt_big_img"]),
      .image("pt_big_img"),
      .image("pt_img#"),
      MediaRule("ct_ContentSlider<json>.items[]", url: "imageUrl", family: .image),
    ]
  ) {
    $0.mediaKeysNameVendor = true
    $0.roots = ["", "pt_json<json>"]
    $0.deepLink = ["wzrk_dl", "pt_default_dl", "pt_dl1"]
    $0.messageID = ["wzrk_id"]
  }
}
