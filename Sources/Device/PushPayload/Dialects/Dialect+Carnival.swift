extension Dialect.ID {
  /// Carnival, the predecessor of Sailthru Mobile: `image_url` and `video_url` at the top.
  public static let carnival = Self(rawValue: "carnival")
}

extension Dialect {
  /// Carnival, the predecessor of Sailthru Mobile: media at the top level, the video before the image.
  ///
  /// Other senders use the same keys, so the title at the top is not Carnival's if the alert has a title.
  public static let carnival = Dialect(
    .carnival, signature: [.all("_st", "video_url"), .all("_st", "image_url")],
    media: [.movie("video_url"), .image("image_url")]
  ) {
    $0.sharedSignature = ["video_url", "image_url"]
    $0.title = ["title"]
    $0.replacesTitle = false
    $0.textCondition = .absent(#"gcm\.message_id"#)
    $0.messageID = ["_nid"]
  }
}
