/// A kind of media file: its names, its family, and whether iOS shows it in a notification.
///
/// Source: Apple, `UNNotificationAttachment`, the table of supported file types. The identifiers are
/// Uniform Type Identifiers, the names the system itself uses.
public struct MediaType: Hashable, Sendable {
  /// What a type belongs to, which decides how large a file may be.
  public struct Family: Hashable, Sendable, CustomStringConvertible {
    /// The family's name: `image`.
    public let description: String
    /// The largest attachment in bytes, counted in units of 1,000,000 so that it holds whichever
    /// megabyte Apple means.
    public let maximumBytes: Int

    /// Up to 5 MB.
    public static let audio = Family(description: "audio", maximumBytes: 5_000_000)
    /// Up to 10 MB, still or animated.
    public static let image = Family(description: "image", maximumBytes: 10_000_000)
    /// Up to 50 MB.
    public static let movie = Family(description: "movie", maximumBytes: 50_000_000)
    /// Known, but nothing that a notification shows.
    public static let other = Family(description: "other", maximumBytes: 0)
  }

  /// The Uniform Type Identifier: `public.jpeg`.
  public let identifier: String
  /// What it belongs to.
  public let family: Family
  /// The file name extension the system prefers, without a dot.
  public let preferredExtension: String
  /// Every extension that means this type, lower case.
  public let extensions: [String]
  /// Every MIME type that means this type, lower case, without parameters.
  public let mimeTypes: [String]

  /// Whether iOS attaches files of this type.
  public var isSupported: Bool { family != .other }

  init(
    _ identifier: String, _ family: Family, _ extensions: [String], _ mimeTypes: [String]
  ) {
    self.identifier = identifier
    self.family = family
    self.preferredExtension = extensions[0]
    self.extensions = extensions
    self.mimeTypes = mimeTypes
  }
}

extension MediaType {
  /// JPEG.
  public static let jpeg = MediaType(
    "public.jpeg", .image, ["jpeg", "jpg", "jpe"], ["image/jpeg", "image/jpg"])
  /// PNG.
  public static let png = MediaType("public.png", .image, ["png"], ["image/png", "image/x-png"])
  /// GIF.
  public static let gif = MediaType("com.compuserve.gif", .image, ["gif"], ["image/gif"])
  /// HEIC; accepted by the system although the table does not list it.
  public static let heic = MediaType("public.heic", .image, ["heic"], ["image/heic"])
  /// AIFF.
  public static let aiff = MediaType(
    "public.aiff-audio", .audio, ["aiff", "aif"], ["audio/aiff", "audio/x-aiff"])
  /// WAV.
  public static let wav = MediaType(
    "com.microsoft.waveform-audio", .audio, ["wav", "wave"],
    ["audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"])
  /// MP3.
  public static let mp3 = MediaType("public.mp3", .audio, ["mp3"], ["audio/mpeg", "audio/mp3"])
  /// MPEG-4 audio in Apple's container.
  public static let m4a = MediaType(
    "com.apple.m4a-audio", .audio, ["m4a"], ["audio/mp4", "audio/x-m4a", "audio/m4a"])
  /// MPEG-1 and MPEG-2 program streams.
  public static let mpeg = MediaType("public.mpeg", .movie, ["mpg", "mpeg"], ["video/mpeg"])
  /// A bare MPEG-2 video stream.
  public static let mpeg2 = MediaType("public.mpeg-2-video", .movie, ["m2v"], ["video/mpeg2"])
  /// MPEG-4.
  public static let mpeg4 = MediaType("public.mpeg-4", .movie, ["mp4", "mpg4"], ["video/mp4"])
  /// MPEG-4 in Apple's flavour.
  public static let m4v = MediaType("com.apple.m4v-video", .movie, ["m4v"], ["video/x-m4v"])
  /// QuickTime.
  public static let quickTime = MediaType(
    "com.apple.quicktime-movie", .movie, ["mov", "qt"], ["video/quicktime"])
  /// AVI.
  public static let avi = MediaType(
    "public.avi", .movie, ["avi"], ["video/avi", "video/x-msvideo", "video/msvideo"])
  /// WebP: not shown.
  public static let webP = MediaType("org.webmproject.webp", .other, ["webp"], ["image/webp"])
  /// SVG: not shown.
  public static let svg = MediaType("public.svg-image", .other, ["svg"], ["image/svg+xml"])
  /// PDF: not shown.
  public static let pdf = MediaType("com.adobe.pdf", .other, ["pdf"], ["application/pdf"])
  /// HTML: an error page more often than not.
  public static let html = MediaType(
    "public.html", .other, ["html", "htm"], ["text/html", "application/xhtml+xml"])
  /// XML.
  public static let xml = MediaType("public.xml", .other, ["xml"], ["application/xml", "text/xml"])
  /// JSON.
  public static let json = MediaType("public.json", .other, ["json"], ["application/json"])
  /// BMP: not shown.
  public static let bmp = MediaType("com.microsoft.bmp", .other, ["bmp"], ["image/bmp"])
  /// TIFF: not shown.
  public static let tiff = MediaType("public.tiff", .other, ["tiff", "tif"], ["image/tiff"])

  /// Every type above.
  public static let all: [MediaType] = [
    .jpeg, .png, .gif, .heic, .aiff, .wav, .mp3, .m4a, .mpeg, .mpeg2, .mpeg4, .m4v, .quickTime,
    .avi, .webP, .svg, .pdf, .html, .xml, .json, .bmp, .tiff,
  ]

  /// The type that a file name extension means.
  ///
  /// - Parameter pathExtension: The extension without a dot, in any case.
  public init?(pathExtension: String) {
    let name = pathExtension.lowercased()
    guard let type = Self.all.first(where: { $0.extensions.contains(name) }) else { return nil }
    self = type
  }

  /// The type that a `Content-Type` header means.
  ///
  /// - Parameter mimeType: The header's value; parameters and case do not count.
  public init?(mimeType: String) {
    let name = mimeType.prefix { $0 != ";" && !$0.isWhitespace }.lowercased()
    guard let type = Self.all.first(where: { $0.mimeTypes.contains(name) }) else { return nil }
    self = type
  }

  /// The type with a Uniform Type Identifier.
  ///
  /// - Parameter identifier: The identifier, in its own case.
  public init?(identifier: String) {
    guard let type = Self.all.first(where: { $0.identifier == identifier }) else { return nil }
    self = type
  }
}
