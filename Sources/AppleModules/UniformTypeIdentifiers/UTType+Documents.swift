// The constants have Apple's names and identifiers: "System-declared uniform type identifiers".

extension UTType {
  /// The type `public.item`.
  public static let item = UTType(known: "public.item")
  /// The type `public.content`.
  public static let content = UTType(known: "public.content")
  /// The type `public.composite-content`.
  public static let compositeContent = UTType(known: "public.composite-content")
  /// The type `public.data`.
  public static let data = UTType(known: "public.data")
  /// The type `public.directory`.
  public static let directory = UTType(known: "public.directory")
  /// The type `public.folder`.
  public static let folder = UTType(known: "public.folder")
  /// The type `com.apple.package`.
  public static let package = UTType(known: "com.apple.package")
  /// The type `com.apple.bundle`.
  public static let bundle = UTType(known: "com.apple.bundle")
  /// The type `com.apple.resolvable`.
  public static let resolvable = UTType(known: "com.apple.resolvable")
  /// The type `public.url`.
  public static let url = UTType(known: "public.url")
  /// The type `public.file-url`.
  public static let fileURL = UTType(known: "public.file-url")
  /// The type `public.text`.
  public static let text = UTType(known: "public.text")
  /// The type `public.plain-text`; files .txt, .text.
  public static let plainText = UTType(known: "public.plain-text")
  /// The type `public.utf8-plain-text`.
  public static let utf8PlainText = UTType(known: "public.utf8-plain-text")
  /// The type `public.utf16-plain-text`.
  public static let utf16PlainText = UTType(known: "public.utf16-plain-text")
  /// The type `public.utf16-external-plain-text`.
  public static let utf16ExternalPlainText = UTType(known: "public.utf16-external-plain-text")
  /// The type `public.delimited-values-text`.
  public static let delimitedText = UTType(known: "public.delimited-values-text")
  /// The type `public.comma-separated-values-text`; files .csv.
  public static let commaSeparatedText = UTType(known: "public.comma-separated-values-text")
  /// The type `public.tab-separated-values-text`; files .tsv.
  public static let tabSeparatedText = UTType(known: "public.tab-separated-values-text")
  /// The type `public.rtf`; files .rtf.
  public static let rtf = UTType(known: "public.rtf")
  /// The type `public.html`; files .html, .htm, .shtml, .shtm.
  public static let html = UTType(known: "public.html")
  /// The type `public.xml`; files .xml.
  public static let xml = UTType(known: "public.xml")
  /// The type `public.yaml`; files .yml, .yaml.
  public static let yaml = UTType(known: "public.yaml")
  /// The type `public.json`; files .json.
  public static let json = UTType(known: "public.json")
  /// The type `com.apple.property-list`; files .plist.
  public static let propertyList = UTType(known: "com.apple.property-list")
  /// The type `com.apple.xml-property-list`.
  public static let xmlPropertyList = UTType(known: "com.apple.xml-property-list")
  /// The type `com.apple.binary-property-list`.
  public static let binaryPropertyList = UTType(known: "com.apple.binary-property-list")
  /// The type `public.source-code`.
  public static let sourceCode = UTType(known: "public.source-code")
  /// The type `public.swift-source`; files .swift.
  public static let swiftSource = UTType(known: "public.swift-source")
  /// The type `public.script`.
  public static let script = UTType(known: "public.script")
  /// The type `com.netscape.javascript-source`; files .js, .jscript, .javascript.
  public static let javaScript = UTType(known: "com.netscape.javascript-source")
  /// The type `public.shell-script`; files .sh, .command.
  public static let shellScript = UTType(known: "public.shell-script")
  /// The type `public.executable`.
  public static let executable = UTType(known: "public.executable")
  /// The type `com.adobe.pdf`; files .pdf.
  public static let pdf = UTType(known: "com.adobe.pdf")
  /// The type `com.apple.rtfd`; files .rtfd.
  public static let rtfd = UTType(known: "com.apple.rtfd")
  /// The type `com.apple.flat-rtfd`.
  public static let flatRTFD = UTType(known: "com.apple.flat-rtfd")
  /// The type `com.apple.webarchive`; files .webarchive.
  public static let webArchive = UTType(known: "com.apple.webarchive")
  /// The type `com.apple.live-photo`.
  public static let livePhoto = UTType(known: "com.apple.live-photo")
  /// The type `public.3d-content`.
  public static let threeDContent = UTType(known: "public.3d-content")
  /// The type `com.pixar.universal-scene-description-mobile`; files .usdz.
  public static let usdz = UTType(known: "com.pixar.universal-scene-description-mobile")
  /// The type `public.playlist`.
  public static let playlist = UTType(known: "public.playlist")
  /// The type `public.m3u-playlist`; files .m3u, .m3u8.
  public static let m3uPlaylist = UTType(known: "public.m3u-playlist")
  /// The type `public.archive`.
  public static let archive = UTType(known: "public.archive")
  /// The type `org.gnu.gnu-zip-archive`; files .gz, .gzip.
  public static let gzip = UTType(known: "org.gnu.gnu-zip-archive")
  /// The type `public.bzip2-archive`; files .bz2, .bzip2, .bz.
  public static let bz2 = UTType(known: "public.bzip2-archive")
  /// The type `public.zip-archive`; files .zip.
  public static let zip = UTType(known: "public.zip-archive")
  /// The type `public.disk-image`.
  public static let diskImage = UTType(known: "public.disk-image")
  /// The type `public.spreadsheet`.
  public static let spreadsheet = UTType(known: "public.spreadsheet")
  /// The type `public.presentation`.
  public static let presentation = UTType(known: "public.presentation")
  /// The type `public.database`.
  public static let database = UTType(known: "public.database")
  /// The type `public.message`.
  public static let message = UTType(known: "public.message")
  /// The type `public.contact`.
  public static let contact = UTType(known: "public.contact")
  /// The type `public.vcard`; files .vcf, .vcard.
  public static let vCard = UTType(known: "public.vcard")
  /// The type `public.calendar-event`.
  public static let calendarEvent = UTType(known: "public.calendar-event")
  /// The type `public.to-do-item`.
  public static let toDoItem = UTType(known: "public.to-do-item")
  /// The type `public.email-message`.
  public static let emailMessage = UTType(known: "public.email-message")
  /// The type `public.font`.
  public static let font = UTType(known: "public.font")
  /// The type `public.bookmark`.
  public static let bookmark = UTType(known: "public.bookmark")
  /// The type `com.rsa.pkcs-12`; files .p12, .pfx.
  public static let pkcs12 = UTType(known: "com.rsa.pkcs-12")
  /// The type `public.x509-certificate`; files .cer, .crt, .der.
  public static let x509Certificate = UTType(known: "public.x509-certificate")
  /// The type `org.idpf.epub-container`; files .epub.
  public static let epub = UTType(known: "org.idpf.epub-container")
  /// The type `public.log`; files .log.
  public static let log = UTType(known: "public.log")
}
