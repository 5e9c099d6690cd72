extension Dialect.ID {
  /// MotiSig: `_motisig`.
  public static let motiSig = Self(rawValue: "motisig")
}

extension Dialect {
  /// MotiSig: one picture, which may also be under the keys of other vendors; Expo's relay has all of it in `body`.
  public static let motiSig = Dialect(
    .motiSig, signature: ["_motisig", "body<json>._motisig"],
    media: [
      .image("_motisig.imageUrl"), .image("_motisig.image_url"), .image("_motisig.image"),
      .image("_richContent.image"), .image("fcm_options.image"), .image("image"),
      .image("imageUrl"), .image("image_url"),
    ]
  ) {
    $0.roots = ["", "body<json>"]
    $0.messageID = ["messageId", "_motisig.messageId"]
  }
}
