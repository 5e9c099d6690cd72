// The constants have Apple's names and identifiers: "System-declared uniform type identifiers".

extension UTType {
  /// The type `public.image`.
  public static let image = UTType(known: "public.image")
  /// The type `public.jpeg`; files .jpeg, .jpg, .jpe.
  public static let jpeg = UTType(known: "public.jpeg")
  /// The type `public.tiff`; files .tiff, .tif.
  public static let tiff = UTType(known: "public.tiff")
  /// The type `com.compuserve.gif`; files .gif.
  public static let gif = UTType(known: "com.compuserve.gif")
  /// The type `public.png`; files .png.
  public static let png = UTType(known: "public.png")
  /// The type `com.apple.icns`; files .icns.
  public static let icns = UTType(known: "com.apple.icns")
  /// The type `com.microsoft.bmp`; files .bmp, .dib.
  public static let bmp = UTType(known: "com.microsoft.bmp")
  /// The type `com.microsoft.ico`; files .ico.
  public static let ico = UTType(known: "com.microsoft.ico")
  /// The type `public.camera-raw-image`.
  public static let rawImage = UTType(known: "public.camera-raw-image")
  /// The type `public.svg-image`; files .svg, .svgz.
  public static let svg = UTType(known: "public.svg-image")
  /// The type `public.heif`; files .heif, .hif.
  public static let heif = UTType(known: "public.heif")
  /// The type `public.heic`; files .heic.
  public static let heic = UTType(known: "public.heic")
  /// The type `org.webmproject.webp`; files .webp.
  public static let webP = UTType(known: "org.webmproject.webp")
  /// The type `com.ilm.openexr-image`; files .exr.
  public static let exr = UTType(known: "com.ilm.openexr-image")
  /// The type `public.audiovisual-content`.
  public static let audiovisualContent = UTType(known: "public.audiovisual-content")
  /// The type `public.movie`.
  public static let movie = UTType(known: "public.movie")
  /// The type `public.video`.
  public static let video = UTType(known: "public.video")
  /// The type `public.audio`.
  public static let audio = UTType(known: "public.audio")
  /// The type `com.apple.quicktime-movie`; files .mov, .qt.
  public static let quickTimeMovie = UTType(known: "com.apple.quicktime-movie")
  /// The type `public.mpeg`; files .mpg, .mpeg, .mpe, .m75, .m15.
  public static let mpeg = UTType(known: "public.mpeg")
  /// The type `public.mpeg-2-video`; files .m2v.
  public static let mpeg2Video = UTType(known: "public.mpeg-2-video")
  /// The type `public.mpeg-2-transport-stream`; files .ts.
  public static let mpeg2TransportStream = UTType(known: "public.mpeg-2-transport-stream")
  /// The type `public.mp3`; files .mp3, .mpga.
  public static let mp3 = UTType(known: "public.mp3")
  /// The type `public.mpeg-4`; files .mp4, .mpg4.
  public static let mpeg4Movie = UTType(known: "public.mpeg-4")
  /// The type `public.mpeg-4-audio`.
  public static let mpeg4Audio = UTType(known: "public.mpeg-4-audio")
  /// The type `com.apple.protected-mpeg-4-audio`; files .m4p, .m4b.
  public static let appleProtectedMPEG4Audio = UTType(known: "com.apple.protected-mpeg-4-audio")
  /// The type `com.apple.protected-mpeg-4-video`.
  public static let appleProtectedMPEG4Video = UTType(known: "com.apple.protected-mpeg-4-video")
  /// The type `public.avi`; files .avi, .vfw.
  public static let avi = UTType(known: "public.avi")
  /// The type `public.aiff-audio`; files .aiff, .aif.
  public static let aiff = UTType(known: "public.aiff-audio")
  /// The type `com.microsoft.waveform-audio`; files .wav, .wave.
  public static let wav = UTType(known: "com.microsoft.waveform-audio")
  /// The type `public.midi-audio`; files .midi, .mid, .smf, .kar.
  public static let midi = UTType(known: "public.midi-audio")
}
