extension MediaType {
  /// Makes a type; extensions, the preferred first, and MIME types are separated by spaces.
  private static func type(
    _ identifier: String, _ family: Family, extensions: String, mimeTypes: String
  ) -> MediaType {
    let words = { (text: String) in text.split(separator: " ").map { String($0) } }
    return MediaType(
      identifier, family, extensions: words(extensions), mimeTypes: words(mimeTypes))
  }

  /// AIFF.
  public static let aiff = type(
    "public.aiff-audio", .audio, extensions: "aiff aif",
    mimeTypes: "audio/aiff audio/x-aiff")
  /// AIFF with compression.
  public static let aifc = type(
    "public.aifc-audio", .audio, extensions: "aifc",
    mimeTypes: "audio/aifc audio/x-aifc")
  /// WAV.
  public static let wav = type(
    "com.microsoft.waveform-audio", .audio, extensions: "wav wave",
    mimeTypes: "audio/wav audio/x-wav audio/wave audio/vnd.wave")
  /// MP3.
  public static let mp3 = type(
    "public.mp3", .audio, extensions: "mp3",
    mimeTypes: "audio/mpeg audio/mp3")
  /// MPEG-4 audio in Apple's container.
  public static let m4a = type(
    "com.apple.m4a-audio", .audio, extensions: "m4a",
    mimeTypes: "audio/mp4 audio/x-m4a audio/m4a")
  /// Core Audio; the system accepts it although Apple's table does not list it.
  public static let caf = type(
    "com.apple.coreaudio-format", .audio, extensions: "caf",
    mimeTypes: "audio/x-caf")
  /// JPEG.
  public static let jpeg = type(
    "public.jpeg", .image, extensions: "jpeg jpg jpe",
    mimeTypes: "image/jpeg image/jpg")
  /// PNG.
  public static let png = type(
    "public.png", .image, extensions: "png",
    mimeTypes: "image/png image/x-png")
  /// GIF.
  public static let gif = type(
    "com.compuserve.gif", .image, extensions: "gif",
    mimeTypes: "image/gif")
  /// HEIC; the system accepts it although Apple's table does not list it.
  public static let heic = type(
    "public.heic", .image, extensions: "heic",
    mimeTypes: "image/heic")
  /// MPEG-1 and MPEG-2 program streams.
  public static let mpeg = type(
    "public.mpeg", .movie, extensions: "mpg mpeg",
    mimeTypes: "video/mpeg")
  /// An MPEG-1 or MPEG-2 video stream without a container.
  public static let mpeg2 = type(
    "public.mpeg-2-video", .movie, extensions: "m2v",
    mimeTypes: "video/mpeg2")
  /// MPEG-4.
  public static let mpeg4 = type(
    "public.mpeg-4", .movie, extensions: "mp4 mpg4",
    mimeTypes: "video/mp4")
  /// MPEG-4 in Apple's variant; the system accepts it although Apple's table does not list it.
  public static let m4v = type(
    "com.apple.m4v-video", .movie, extensions: "m4v",
    mimeTypes: "video/x-m4v")
  /// QuickTime; the system accepts it although Apple's table does not list it.
  public static let quickTime = type(
    "com.apple.quicktime-movie", .movie, extensions: "mov qt",
    mimeTypes: "video/quicktime")
  /// 3GPP; the system accepts it although Apple's table does not list it.
  public static let threeGPP = type(
    "public.3gpp", .movie, extensions: "3gp 3gpp",
    mimeTypes: "video/3gpp")
  /// AVI.
  public static let avi = type(
    "public.avi", .movie, extensions: "avi",
    mimeTypes: "video/avi video/x-msvideo video/msvideo")
  /// An AAC stream without a container: not shown, unlike AAC in an MPEG-4 container.
  public static let aac = type(
    "public.aac-audio", .other, extensions: "aac adts",
    mimeTypes: "audio/aac audio/aacp audio/x-aac")
  /// Ogg: not shown.
  public static let ogg = type(
    "org.xiph.ogg-audio", .other, extensions: "ogg oga ogv opus",
    mimeTypes: "audio/ogg video/ogg application/ogg audio/opus")
  /// FLAC: not shown.
  public static let flac = type(
    "org.xiph.flac", .other, extensions: "flac",
    mimeTypes: "audio/flac audio/x-flac")
  /// WebM: not shown.
  public static let webM = type(
    "org.webmproject.webm", .other, extensions: "webm",
    mimeTypes: "video/webm audio/webm")
  /// Matroska: not shown.
  public static let matroska = type(
    "org.matroska.mkv", .other, extensions: "mkv mka",
    mimeTypes: "video/x-matroska audio/x-matroska")
  /// An MPEG-2 transport stream: not shown.
  public static let transportStream = type(
    "public.mpeg-2-transport-stream", .other, extensions: "ts m2ts mts",
    mimeTypes: "video/mp2t")
  /// Flash video: not shown.
  public static let flash = type(
    "com.adobe.flash.video", .other, extensions: "flv",
    mimeTypes: "video/x-flv")
  /// WebP: not shown.
  public static let webP = type(
    "org.webmproject.webp", .other, extensions: "webp",
    mimeTypes: "image/webp")
  /// AVIF: not shown.
  public static let avif = type(
    "public.avif", .other, extensions: "avif",
    mimeTypes: "image/avif")
  /// HEIF with a codec other than HEVC: not shown.
  public static let heif = type(
    "public.heif", .other, extensions: "heif hif",
    mimeTypes: "image/heif")
  /// BMP: not shown.
  public static let bmp = type(
    "com.microsoft.bmp", .other, extensions: "bmp",
    mimeTypes: "image/bmp image/x-ms-bmp")
  /// TIFF: not shown.
  public static let tiff = type(
    "public.tiff", .other, extensions: "tiff tif",
    mimeTypes: "image/tiff")
  /// A Windows icon: not shown.
  public static let ico = type(
    "com.microsoft.ico", .other, extensions: "ico",
    mimeTypes: "image/x-icon image/vnd.microsoft.icon")
  /// SVG: not shown.
  public static let svg = type(
    "public.svg-image", .other, extensions: "svg",
    mimeTypes: "image/svg+xml")
  /// PDF: not shown.
  public static let pdf = type(
    "com.adobe.pdf", .other, extensions: "pdf",
    mimeTypes: "application/pdf")
  /// HTML, often an error page: not shown.
  public static let html = type(
    "public.html", .other, extensions: "html htm",
    mimeTypes: "text/html application/xhtml+xml")
  /// XML: not shown.
  public static let xml = type(
    "public.xml", .other, extensions: "xml",
    mimeTypes: "application/xml text/xml")
  /// JSON: not shown.
  public static let json = type(
    "public.json", .other, extensions: "json",
    mimeTypes: "application/json")
  /// Text of no known type: not shown.
  public static let plainText = type(
    "public.plain-text", .other, extensions: "txt text",
    mimeTypes: "text/plain")
  /// A ZIP archive: not shown.
  public static let zip = type(
    "public.zip-archive", .other, extensions: "zip",
    mimeTypes: "application/zip")
  /// A gzip archive: not shown.
  public static let gzip = type(
    "org.gnu.gnu-zip-archive", .other, extensions: "gz",
    mimeTypes: "application/gzip application/x-gzip")

  /// Every type that is known here, shown or not.
  public static let all: [MediaType] = [
    .aiff, .aifc, .wav, .mp3, .m4a, .caf, .jpeg, .png, .gif, .heic, .mpeg, .mpeg2, .mpeg4, .m4v,
    .quickTime, .threeGPP, .avi, .aac, .ogg, .flac, .webM, .matroska, .transportStream, .flash,
    .webP, .avif, .heif, .bmp, .tiff, .ico, .svg, .pdf, .html, .xml, .json, .plainText, .zip, .gzip,
  ]
}
