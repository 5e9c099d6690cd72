/// The file types that the system supports as attachments, with their extensions and limits.
///
/// They are the documented types of `UNNotificationAttachment` and others that the system is known to accept.
/// Limits are in megabytes; Apple does not document how many bytes a megabyte has.
@_spi(Host) public enum UNAttachmentType {
  /// A kind of media.
  public enum Kind: String, Sendable {
    case audio, image, movie

    /// The limit in megabytes.
    fileprivate var limit: Int64 {
      switch self {
      case .audio: 5
      case .image: 10
      case .movie: 50
      }
    }
  }

  /// The types, each with its kind and its extensions, the preferred one first.
  private static let table: [(identifier: String, kind: Kind, extensions: [String])] = [
    ("public.aiff-audio", .audio, ["aiff", "aif"]),
    ("com.microsoft.waveform-audio", .audio, ["wav", "wave"]),
    ("public.mp3", .audio, ["mp3"]),
    ("public.mpeg-4-audio", .audio, []),
    ("com.apple.m4a-audio", .audio, ["m4a"]),
    ("com.apple.coreaudio-format", .audio, ["caf"]),
    ("public.aifc-audio", .audio, ["aifc"]),
    ("org.3gpp.adaptive-multi-rate-audio", .audio, ["amr"]),
    ("public.au-audio", .audio, ["au"]),
    ("public.ac3-audio", .audio, ["ac3"]),
    ("public.enhanced-ac3-audio", .audio, ["ec3", "eac3"]),
    ("public.jpeg", .image, ["jpeg", "jpg", "jpe"]),
    ("com.compuserve.gif", .image, ["gif"]),
    ("public.png", .image, ["png"]),
    ("public.heic", .image, ["heic"]),
    ("public.image", .image, []),
    ("public.mpeg", .movie, ["mpg", "mpeg"]),
    ("public.mpeg-2-video", .movie, ["m2v"]),
    ("public.mpeg-4", .movie, ["mp4", "mpg4"]),
    ("public.avi", .movie, ["avi"]),
    ("com.apple.quicktime-movie", .movie, ["mov", "qt"]),
    ("com.apple.m4v-video", .movie, ["m4v"]),
    ("public.3gpp", .movie, ["3gp", "3gpp"]),
    ("public.3gpp2", .movie, ["3g2", "3gp2"]),
  ]

  /// The type of a path extension; `nil` if it is not supported.
  public static func identifier(forExtension name: String) -> String? {
    let name = name.lowercased()
    return table.first { $0.extensions.contains(name) }?.identifier
  }

  /// The kind of a type; `nil` if it is not supported.
  public static func kind(forIdentifier identifier: String) -> Kind? {
    table.first { $0.identifier == identifier }?.kind
  }

  /// The limit of a type in bytes; `nil` if it is not supported.
  public static func maximumBytes(
    forIdentifier identifier: String, megabyte: Int64 = UNWorld.currentOrLast.megabyte
  ) -> Int64? {
    kind(forIdentifier: identifier).map { $0.limit * megabyte }
  }

  /// The path extension of a type's stored file.
  public static func preferredExtension(forIdentifier identifier: String) -> String? {
    table.first { $0.identifier == identifier }?.extensions.first
  }
}
