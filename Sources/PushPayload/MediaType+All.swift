extension MediaType {
  /// A table of the types: name, family, extensions with the preferred one first, MIME types.
  private static func type(
    _ identifier: String, _ family: Family, _ extensions: String, _ mimeTypes: String
  ) -> MediaType {
    let words = { (text: String) in text.split(separator: " ").map { String($0) } }
    return MediaType(identifier, family, words(extensions), words(mimeTypes))
  }

  /// AIFF.
  public static let aiff = type(
    "public.aiff-audio", .audio, "aiff aif",
    "audio/aiff audio/x-aiff")
  /// AIFF with compression.
  public static let aifc = type(
    "public.aifc-audio", .audio, "aifc",
    "audio/aifc audio/x-aifc")
  /// WAV.
  public static let wav = type(
    "com.microsoft.waveform-audio", .audio, "wav wave",
    "audio/wav audio/x-wav audio/wave audio/vnd.wave")
  /// MP3.
  public static let mp3 = type(
    "public.mp3", .audio, "mp3",
    "audio/mpeg audio/mp3")
  /// MPEG-4 audio in Apple's container.
  public static let m4a = type(
    "com.apple.m4a-audio", .audio, "m4a",
    "audio/mp4 audio/x-m4a audio/m4a")
  /// Core Audio; accepted by the system although the table does not list it.
  public static let caf = type(
    "com.apple.coreaudio-format", .audio, "caf",
    "audio/x-caf")
  /// JPEG.
  public static let jpeg = type(
    "public.jpeg", .image, "jpeg jpg jpe",
    "image/jpeg image/jpg")
  /// PNG.
  public static let png = type(
    "public.png", .image, "png",
    "image/png image/x-png")
  /// GIF.
  public static let gif = type(
    "com.compuserve.gif", .image, "gif",
    "image/gif")
  /// HEIC; accepted by the system although the table does not list it.
  public static let heic = type(
    "public.heic", .image, "heic",
    "image/heic")
  /// MPEG-1 and MPEG-2 program streams.
  public static let mpeg = type(
    "public.mpeg", .movie, "mpg mpeg",
    "video/mpeg")
  /// A bare MPEG-1 or MPEG-2 video stream.
  public static let mpeg2 = type(
    "public.mpeg-2-video", .movie, "m2v",
    "video/mpeg2")
  /// MPEG-4.
  public static let mpeg4 = type(
    "public.mpeg-4", .movie, "mp4 mpg4",
    "video/mp4")
  /// MPEG-4 in Apple's flavour; accepted although the table does not list it.
  public static let m4v = type(
    "com.apple.m4v-video", .movie, "m4v",
    "video/x-m4v")
  /// QuickTime; accepted although the table does not list it.
  public static let quickTime = type(
    "com.apple.quicktime-movie", .movie, "mov qt",
    "video/quicktime")
  /// 3GPP; accepted although the table does not list it.
  public static let threeGPP = type(
    "public.3gpp", .movie, "3gp 3gpp",
    "video/3gpp")
  /// AVI.
  public static let avi = type(
    "public.avi", .movie, "avi",
    "video/avi video/x-msvideo video/msvideo")
  /// A bare AAC stream: not shown, unlike the same in an MPEG-4 container.
  public static let aac = type(
    "public.aac-audio", .other, "aac adts",
    "audio/aac audio/aacp audio/x-aac")
  /// Ogg: not shown.
  public static let ogg = type(
    "org.xiph.ogg-audio", .other, "ogg oga ogv opus",
    "audio/ogg video/ogg application/ogg audio/opus")
  /// FLAC: not shown.
  public static let flac = type(
    "org.xiph.flac", .other, "flac",
    "audio/flac audio/x-flac")
  /// WebM: not shown.
  public static let webM = type(
    "org.webmproject.webm", .other, "webm",
    "video/webm audio/webm")
  /// Matroska: not shown.
  public static let matroska = type(
    "org.matroska.mkv", .other, "mkv mka",
    "video/x-matroska audio/x-matroska")
  /// An MPEG-2 transport stream: not shown.
  public static let transportStream = type(
    "public.mpeg-2-transport-stream", .other, "ts m2ts mts",
    "video/mp2t")
  /// Flash video: not shown.
  public static let flash = type(
    "com.adobe.flash.video", .other, "flv",
    "video/x-flv")
  /// WebP: not shown.
  public static let webP = type(
    "org.webmproject.webp", .other, "webp",
    "image/webp")
  /// AVIF: not shown.
  public static let avif = type(
    "public.avif", .other, "avif",
    "image/avif")
  /// HEIF of another coding than HEIC: not shown.
  public static let heif = type(
    "public.heif", .other, "heif hif",
    "image/heif")
  /// BMP: not shown.
  public static let bmp = type(
    "com.microsoft.bmp", .other, "bmp",
    "image/bmp image/x-ms-bmp")
  /// TIFF: not shown.
  public static let tiff = type(
    "public.tiff", .other, "tiff tif",
    "image/tiff")
  /// A Windows icon: not shown.
  public static let ico = type(
    "com.microsoft.ico", .other, "ico",
    "image/x-icon image/vnd.microsoft.icon")
  /// SVG: not shown.
  public static let svg = type(
    "public.svg-image", .other, "svg",
    "image/svg+xml")
  /// PDF: not shown.
  public static let pdf = type(
    "com.adobe.pdf", .other, "pdf",
    "application/pdf")
  /// HTML: an error page more often than not.
  public static let html = type(
    "public.html", .other, "html htm",
    "text/html application/xhtml+xml")
  /// XML.
  public static let xml = type(
    "public.xml", .other, "xml",
    "application/xml text/xml")
  /// JSON.
  public static let json = type(
    "public.json", .other, "json",
    "application/json")
  /// Text of no known kind.
  public static let plainText = type(
    "public.plain-text", .other, "txt text",
    "text/plain")
  /// A ZIP archive.
  public static let zip = type(
    "public.zip-archive", .other, "zip",
    "application/zip")
  /// A gzip archive.
  public static let gzip = type(
    "org.gnu.gnu-zip-archive", .other, "gz",
    "application/gzip application/x-gzip")

  /// Every type above.
  public static let all: [MediaType] = [
    .aiff, .aifc, .wav, .mp3, .m4a, .caf, .jpeg, .png, .gif, .heic, .mpeg, .mpeg2, .mpeg4, .m4v,
    .quickTime, .threeGPP, .avi, .aac, .ogg, .flac, .webM, .matroska, .transportStream, .flash,
    .webP, .avif, .heif, .bmp, .tiff, .ico, .svg, .pdf, .html, .xml, .json, .plainText, .zip, .gzip,
  ]
}
