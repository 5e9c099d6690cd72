/// Which files the system attaches: extension, type, family, limit.
///
/// The documented table of `UNNotificationAttachment`, and the wider list that the system is known to
/// accept. Limits are counted in megabytes, of which Apple does
/// not say how many bytes one has.
@_spi(Host) public enum UNAttachmentType {
  private static let audio: Int64 = 5
  private static let image: Int64 = 10
  private static let movie: Int64 = 50

  /// Type, limit in megabytes, preferred extension first.
  private static let table: [(identifier: String, limit: Int64, extensions: [String])] = [
    ("public.aiff-audio", audio, ["aiff", "aif"]),
    ("com.microsoft.waveform-audio", audio, ["wav", "wave"]),
    ("public.mp3", audio, ["mp3"]),
    ("public.mpeg-4-audio", audio, []),
    ("com.apple.m4a-audio", audio, ["m4a"]),
    ("com.apple.coreaudio-format", audio, ["caf"]),
    ("public.aifc-audio", audio, ["aifc"]),
    ("org.3gpp.adaptive-multi-rate-audio", audio, ["amr"]),
    ("public.au-audio", audio, ["au"]),
    ("public.ac3-audio", audio, ["ac3"]),
    ("public.enhanced-ac3-audio", audio, ["ec3", "eac3"]),
    ("public.jpeg", image, ["jpeg", "jpg", "jpe"]),
    ("com.compuserve.gif", image, ["gif"]),
    ("public.png", image, ["png"]),
    ("public.heic", image, ["heic"]),
    ("public.image", image, []),
    ("public.mpeg", movie, ["mpg", "mpeg"]),
    ("public.mpeg-2-video", movie, ["m2v"]),
    ("public.mpeg-4", movie, ["mp4", "mpg4"]),
    ("public.avi", movie, ["avi"]),
    ("com.apple.quicktime-movie", movie, ["mov", "qt"]),
    ("com.apple.m4v-video", movie, ["m4v"]),
    ("public.3gpp", movie, ["3gp", "3gpp"]),
    ("public.3gpp2", movie, ["3g2", "3gp2"]),
  ]

  /// The type that an extension means; `nil` where it means none that is attached.
  public static func identifier(forExtension name: String) -> String? {
    let name = name.lowercased()
    return table.first { $0.extensions.contains(name) }?.identifier
  }

  /// The limit of a type in bytes; `nil` where it is not attached.
  public static func maximumBytes(
    forIdentifier identifier: String, megabyte: Int64 = UNWorld.current.megabyte
  ) -> Int64? {
    table.first { $0.identifier == identifier }.map { $0.limit * megabyte }
  }

  /// The extension the system gives a stored file.
  public static func preferredExtension(forIdentifier identifier: String) -> String? {
    table.first { $0.identifier == identifier }?.extensions.first
  }
}
