extension Dialect.ID {
  /// A tutorial that many apps copied: `aps.imageAbsoluteString`.
  public static let imageAbsoluteString = Self(rawValue: "image-absolute-string")
}

extension Dialect {
  /// A tutorial that many apps copied: one picture, inside `aps` or beside it, often sent through JPush.
  public static let imageAbsoluteString = Dialect(
    .imageAbsoluteString, signature: [],
    media: [.image("aps.imageAbsoluteString"), .image("imageAbsoluteString")]
  ) {
    $0.sharedSignature = ["aps.imageAbsoluteString", "imageAbsoluteString"]
    $0.messageID = ["_j_msgid"]
  }
}
