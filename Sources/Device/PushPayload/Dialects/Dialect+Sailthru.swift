extension Dialect.ID {
  /// Sailthru Mobile, later Marigold: `_st`.
  public static let sailthru = Self(rawValue: "sailthru")
}

extension Dialect {
  /// Sailthru Mobile, later Marigold: media under `_st`, the video before the image.
  public static let sailthru = Dialect(
    .sailthru, signature: ["_st"], media: [.movie("_st.video_url"), .image("_st.image_url")]
  ) {
    $0.mediaKeysNameVendor = true
    $0.title = ["title"]
    $0.messageID = ["_nid"]
  }
}
