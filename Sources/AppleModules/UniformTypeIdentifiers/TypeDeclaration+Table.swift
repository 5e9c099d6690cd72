extension TypeDeclaration {
  /// Types of data, texts, documents and archives.
  static let documents: [TypeDeclaration] = [
    TypeDeclaration("public.item", conformsTo: []),
    TypeDeclaration("public.content", conformsTo: []),
    TypeDeclaration("public.composite-content", conformsTo: ["public.content"]),
    TypeDeclaration("public.data", conformsTo: ["public.item"]),
    TypeDeclaration("public.directory", conformsTo: ["public.item"]),
    TypeDeclaration("public.folder", conformsTo: ["public.directory"]),
    TypeDeclaration("com.apple.package", conformsTo: ["public.directory"]),
    TypeDeclaration("com.apple.bundle", conformsTo: ["public.directory"]),
    TypeDeclaration("com.apple.resolvable", conformsTo: []),
    TypeDeclaration("public.url", conformsTo: ["public.data"]),
    TypeDeclaration("public.file-url", conformsTo: ["public.url"]),
    TypeDeclaration("public.text", conformsTo: ["public.data", "public.content"]),
    TypeDeclaration(
      "public.plain-text", conformsTo: ["public.text"], extensions: ["txt", "text"],
      mimeTypes: ["text/plain"]),
    TypeDeclaration("public.utf8-plain-text", conformsTo: ["public.plain-text"]),
    TypeDeclaration("public.utf16-plain-text", conformsTo: ["public.plain-text"]),
    TypeDeclaration("public.utf16-external-plain-text", conformsTo: ["public.plain-text"]),
    TypeDeclaration("public.delimited-values-text", conformsTo: ["public.text"]),
    TypeDeclaration(
      "public.comma-separated-values-text", conformsTo: ["public.delimited-values-text"],
      extensions: ["csv"], mimeTypes: ["text/csv", "text/comma-separated-values"]),
    TypeDeclaration(
      "public.tab-separated-values-text", conformsTo: ["public.delimited-values-text"],
      extensions: ["tsv"], mimeTypes: ["text/tab-separated-values"]),
    TypeDeclaration(
      "public.rtf", conformsTo: ["public.text"], extensions: ["rtf"],
      mimeTypes: ["text/rtf", "application/rtf"]),
    TypeDeclaration(
      "public.html", conformsTo: ["public.text"], extensions: ["html", "htm", "shtml", "shtm"],
      mimeTypes: ["text/html"]),
    TypeDeclaration(
      "public.xml", conformsTo: ["public.text"], extensions: ["xml"],
      mimeTypes: ["application/xml", "text/xml"]),
    TypeDeclaration(
      "public.yaml", conformsTo: ["public.text"], extensions: ["yml", "yaml"],
      mimeTypes: ["application/x-yaml"]),
    TypeDeclaration(
      "public.json", conformsTo: ["public.text"], extensions: ["json"],
      mimeTypes: ["application/json"]),
    TypeDeclaration("com.apple.property-list", conformsTo: ["public.data"], extensions: ["plist"]),
    TypeDeclaration(
      "com.apple.xml-property-list", conformsTo: ["public.xml", "com.apple.property-list"]),
    TypeDeclaration("com.apple.binary-property-list", conformsTo: ["com.apple.property-list"]),
    TypeDeclaration("public.source-code", conformsTo: ["public.plain-text"]),
    TypeDeclaration(
      "public.swift-source", conformsTo: ["public.source-code"], extensions: ["swift"]),
    TypeDeclaration("public.script", conformsTo: ["public.source-code"]),
    TypeDeclaration(
      "com.netscape.javascript-source", conformsTo: ["public.source-code", "public.executable"],
      extensions: ["js", "jscript", "javascript"], mimeTypes: ["text/javascript"]),
    TypeDeclaration(
      "public.shell-script", conformsTo: ["public.script"], extensions: ["sh", "command"]),
    TypeDeclaration("public.executable", conformsTo: ["public.item"]),
    TypeDeclaration(
      "com.adobe.pdf", conformsTo: ["public.data", "public.composite-content"], extensions: ["pdf"],
      mimeTypes: ["application/pdf"]),
    TypeDeclaration(
      "com.apple.rtfd", conformsTo: ["com.apple.package", "public.composite-content"],
      extensions: ["rtfd"]),
    TypeDeclaration(
      "com.apple.flat-rtfd", conformsTo: ["public.data", "public.composite-content"]),
    TypeDeclaration(
      "com.apple.webarchive", conformsTo: ["public.data", "public.composite-content"],
      extensions: ["webarchive"], mimeTypes: ["application/x-webarchive"]),
    TypeDeclaration("com.apple.live-photo", conformsTo: []),
    TypeDeclaration("public.3d-content", conformsTo: ["public.content"]),
    TypeDeclaration(
      "com.pixar.universal-scene-description-mobile",
      conformsTo: ["public.3d-content", "public.data"], extensions: ["usdz"],
      mimeTypes: ["model/vnd.usdz+zip"]),
    TypeDeclaration("public.playlist", conformsTo: []),
    TypeDeclaration(
      "public.m3u-playlist", conformsTo: ["public.text", "public.playlist"],
      extensions: ["m3u", "m3u8"],
      mimeTypes: ["audio/mpegurl", "audio/x-mpegurl", "application/vnd.apple.mpegurl"]),
    TypeDeclaration("public.archive", conformsTo: ["public.data"]),
    TypeDeclaration(
      "org.gnu.gnu-zip-archive", conformsTo: ["public.data", "public.archive"],
      extensions: ["gz", "gzip"], mimeTypes: ["application/x-gzip", "application/gzip"]),
    TypeDeclaration(
      "public.bzip2-archive", conformsTo: ["public.data", "public.archive"],
      extensions: ["bz2", "bzip2", "bz"], mimeTypes: ["application/x-bzip2"]),
    TypeDeclaration(
      "public.zip-archive", conformsTo: ["public.data", "public.archive"], extensions: ["zip"],
      mimeTypes: ["application/zip", "application/x-zip-compressed"]),
    TypeDeclaration("public.disk-image", conformsTo: ["public.archive"]),
    TypeDeclaration("public.spreadsheet", conformsTo: ["public.content"]),
    TypeDeclaration("public.presentation", conformsTo: ["public.composite-content"]),
    TypeDeclaration("public.database", conformsTo: []),
    TypeDeclaration("public.message", conformsTo: []),
    TypeDeclaration("public.contact", conformsTo: []),
    TypeDeclaration(
      "public.vcard", conformsTo: ["public.text", "public.contact"], extensions: ["vcf", "vcard"],
      mimeTypes: ["text/vcard", "text/directory", "text/x-vcard"]),
    TypeDeclaration("public.calendar-event", conformsTo: []),
    TypeDeclaration("public.to-do-item", conformsTo: []),
    TypeDeclaration("public.email-message", conformsTo: ["public.message"]),
    TypeDeclaration("public.font", conformsTo: []),
    TypeDeclaration("public.bookmark", conformsTo: []),
    TypeDeclaration(
      "com.rsa.pkcs-12", conformsTo: ["public.data"], extensions: ["p12", "pfx"],
      mimeTypes: ["application/x-pkcs12"]),
    TypeDeclaration(
      "public.x509-certificate", conformsTo: ["public.data"], extensions: ["cer", "crt", "der"],
      mimeTypes: ["application/x-x509-ca-cert"]),
    TypeDeclaration(
      "org.idpf.epub-container", conformsTo: ["public.data", "public.composite-content"],
      extensions: ["epub"], mimeTypes: ["application/epub+zip"]),
    TypeDeclaration("public.log", conformsTo: ["public.plain-text"], extensions: ["log"]),
    TypeDeclaration(
      "com.apple.ical.ics", conformsTo: ["public.text", "public.calendar-event"],
      extensions: ["ics"], mimeTypes: ["text/calendar"]),
    TypeDeclaration(
      "com.apple.mail.email", conformsTo: ["public.data", "public.email-message"],
      extensions: ["eml"], mimeTypes: ["message/rfc822"]),
    TypeDeclaration(
      "com.apple.pkpass", conformsTo: ["public.data"], extensions: ["pkpass"],
      mimeTypes: ["application/vnd.apple.pkpass"]),
    TypeDeclaration(
      "com.microsoft.word.doc", conformsTo: ["public.data", "public.composite-content"],
      extensions: ["doc"], mimeTypes: ["application/msword"]),
    TypeDeclaration(
      "com.microsoft.excel.xls", conformsTo: ["public.data", "public.spreadsheet"],
      extensions: ["xls"], mimeTypes: ["application/vnd.ms-excel"]),
    TypeDeclaration(
      "com.microsoft.powerpoint.ppt", conformsTo: ["public.data", "public.presentation"],
      extensions: ["ppt"], mimeTypes: ["application/vnd.ms-powerpoint"]),
    TypeDeclaration("org.openxmlformats.openxml", conformsTo: ["public.data"]),
    TypeDeclaration(
      "org.openxmlformats.wordprocessingml.document",
      conformsTo: ["org.openxmlformats.openxml", "public.composite-content"], extensions: ["docx"],
      mimeTypes: ["application/vnd.openxmlformats-officedocument.wordprocessingml.document"]),
    TypeDeclaration(
      "org.openxmlformats.spreadsheetml.sheet",
      conformsTo: ["org.openxmlformats.openxml", "public.spreadsheet"], extensions: ["xlsx"],
      mimeTypes: ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"]),
    TypeDeclaration(
      "org.openxmlformats.presentationml.presentation",
      conformsTo: ["org.openxmlformats.openxml", "public.presentation"], extensions: ["pptx"],
      mimeTypes: ["application/vnd.openxmlformats-officedocument.presentationml.presentation"]),
    TypeDeclaration(
      "public.truetype-ttf-font", conformsTo: ["public.data", "public.font"], extensions: ["ttf"],
      mimeTypes: ["font/ttf"]),
    TypeDeclaration(
      "public.opentype-font", conformsTo: ["public.data", "public.font"], extensions: ["otf"],
      mimeTypes: ["font/otf"]),
  ]

  /// Types of images, audio and movies.
  static let media: [TypeDeclaration] = [
    TypeDeclaration("public.image", conformsTo: ["public.data", "public.content"]),
    TypeDeclaration(
      "public.jpeg", conformsTo: ["public.image"], extensions: ["jpeg", "jpg", "jpe"],
      mimeTypes: ["image/jpeg", "image/jpg"]),
    TypeDeclaration(
      "public.tiff", conformsTo: ["public.image"], extensions: ["tiff", "tif"],
      mimeTypes: ["image/tiff"]),
    TypeDeclaration(
      "com.compuserve.gif", conformsTo: ["public.image"], extensions: ["gif"],
      mimeTypes: ["image/gif"]),
    TypeDeclaration(
      "public.png", conformsTo: ["public.image"], extensions: ["png"], mimeTypes: ["image/png"]),
    TypeDeclaration(
      "com.apple.icns", conformsTo: ["public.image"], extensions: ["icns"],
      mimeTypes: ["image/x-icns"]),
    TypeDeclaration(
      "com.microsoft.bmp", conformsTo: ["public.image"], extensions: ["bmp", "dib"],
      mimeTypes: ["image/bmp"]),
    TypeDeclaration(
      "com.microsoft.ico", conformsTo: ["public.image"], extensions: ["ico"],
      mimeTypes: ["image/vnd.microsoft.icon", "image/x-icon"]),
    TypeDeclaration("public.camera-raw-image", conformsTo: ["public.image"]),
    TypeDeclaration(
      "public.svg-image", conformsTo: ["public.image", "public.xml"], extensions: ["svg", "svgz"],
      mimeTypes: ["image/svg+xml"]),
    TypeDeclaration(
      "public.heif", conformsTo: ["public.image"], extensions: ["heif", "hif"],
      mimeTypes: ["image/heif"]),
    TypeDeclaration(
      "public.heic", conformsTo: ["public.heif"], extensions: ["heic"], mimeTypes: ["image/heic"]),
    TypeDeclaration(
      "org.webmproject.webp", conformsTo: ["public.image"], extensions: ["webp"],
      mimeTypes: ["image/webp"]),
    TypeDeclaration("com.ilm.openexr-image", conformsTo: ["public.image"], extensions: ["exr"]),
    TypeDeclaration("public.audiovisual-content", conformsTo: ["public.data", "public.content"]),
    TypeDeclaration("public.movie", conformsTo: ["public.audiovisual-content"]),
    TypeDeclaration("public.video", conformsTo: ["public.movie"]),
    TypeDeclaration("public.audio", conformsTo: ["public.audiovisual-content"]),
    TypeDeclaration(
      "com.apple.quicktime-movie", conformsTo: ["public.movie"], extensions: ["mov", "qt"],
      mimeTypes: ["video/quicktime"]),
    TypeDeclaration(
      "public.mpeg", conformsTo: ["public.movie"],
      extensions: ["mpg", "mpeg", "mpe", "m75", "m15"],
      mimeTypes: ["video/mpeg", "video/mpg", "video/x-mpeg", "video/x-mpg"]),
    TypeDeclaration(
      "public.mpeg-2-video", conformsTo: ["public.video"], extensions: ["m2v"],
      mimeTypes: ["video/mpeg2"]),
    TypeDeclaration(
      "public.mpeg-2-transport-stream", conformsTo: ["public.movie"], extensions: ["ts"],
      mimeTypes: ["video/mp2t"]),
    TypeDeclaration(
      "public.mp3", conformsTo: ["public.audio"], extensions: ["mp3", "mpga"],
      mimeTypes: [
        "audio/mpeg", "audio/mpeg3", "audio/mpg", "audio/mp3", "audio/x-mpeg", "audio/x-mp3",
        "audio/x-mpeg3", "audio/x-mpg",
      ]),
    TypeDeclaration(
      "public.mpeg-4", conformsTo: ["public.movie"], extensions: ["mp4", "mpg4"],
      mimeTypes: ["video/mp4", "video/mp4v"]),
    TypeDeclaration("public.mpeg-4-audio", conformsTo: ["public.audio"], mimeTypes: ["audio/mp4"]),
    TypeDeclaration(
      "com.apple.protected-mpeg-4-audio", conformsTo: ["public.audio"], extensions: ["m4p", "m4b"],
      mimeTypes: ["audio/x-m4p"]),
    TypeDeclaration("com.apple.protected-mpeg-4-video", conformsTo: ["com.apple.m4v-video"]),
    TypeDeclaration(
      "public.avi", conformsTo: ["public.movie"], extensions: ["avi", "vfw"],
      mimeTypes: ["video/avi", "video/msvideo", "video/x-msvideo"]),
    TypeDeclaration(
      "public.aiff-audio", conformsTo: ["public.audio"], extensions: ["aiff", "aif"],
      mimeTypes: ["audio/aiff", "audio/x-aiff"]),
    TypeDeclaration(
      "com.microsoft.waveform-audio", conformsTo: ["public.audio"], extensions: ["wav", "wave"],
      mimeTypes: ["audio/vnd.wave", "audio/wav", "audio/wave", "audio/x-wav"]),
    TypeDeclaration(
      "public.midi-audio", conformsTo: ["public.audio"], extensions: ["midi", "mid", "smf", "kar"],
      mimeTypes: ["audio/midi", "audio/x-midi"]),
    TypeDeclaration(
      "com.apple.m4a-audio", conformsTo: ["public.mpeg-4-audio"], extensions: ["m4a"],
      mimeTypes: ["audio/x-m4a"]),
    TypeDeclaration(
      "com.apple.m4v-video", conformsTo: ["public.movie"], extensions: ["m4v"],
      mimeTypes: ["video/x-m4v"]),
    TypeDeclaration(
      "public.aac-audio", conformsTo: ["public.audio"], extensions: ["aac", "adts"],
      mimeTypes: ["audio/aac", "audio/x-aac"]),
    TypeDeclaration(
      "com.apple.coreaudio-format", conformsTo: ["public.audio"], extensions: ["caf"],
      mimeTypes: ["audio/x-caf"]),
    TypeDeclaration(
      "public.aifc-audio", conformsTo: ["public.aiff-audio"], extensions: ["aifc"],
      mimeTypes: ["audio/aiff"]),
    TypeDeclaration(
      "public.au-audio", conformsTo: ["public.audio"], extensions: ["au", "ulw", "snd"],
      mimeTypes: ["audio/basic", "audio/au", "audio/snd"]),
    TypeDeclaration(
      "public.ac3-audio", conformsTo: ["public.audio"], extensions: ["ac3"],
      mimeTypes: ["audio/ac3"]),
    TypeDeclaration(
      "public.enhanced-ac3-audio", conformsTo: ["public.audio"], extensions: ["ec3", "eac3"],
      mimeTypes: ["audio/eac3"]),
    TypeDeclaration(
      "org.3gpp.adaptive-multi-rate-audio", conformsTo: ["public.audio"], extensions: ["amr"],
      mimeTypes: ["audio/amr"]),
    TypeDeclaration(
      "org.xiph.flac", conformsTo: ["public.audio"], extensions: ["flac"], mimeTypes: ["audio/flac"]
    ),
    TypeDeclaration(
      "public.3gpp", conformsTo: ["public.movie"], extensions: ["3gp", "3gpp"],
      mimeTypes: ["video/3gpp", "audio/3gpp"]),
    TypeDeclaration(
      "public.3gpp2", conformsTo: ["public.movie"], extensions: ["3g2", "3gp2"],
      mimeTypes: ["video/3gpp2", "audio/3gpp2"]),
  ]
}
