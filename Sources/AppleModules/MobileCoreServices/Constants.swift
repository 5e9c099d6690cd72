// The constants have Apple's names and values: "UTCoreTypes.h".

public import Foundation

/// The type `public.item`.
nonisolated(unsafe) public let kUTTypeItem: CFString = "public.item"
/// The type `public.content`.
nonisolated(unsafe) public let kUTTypeContent: CFString = "public.content"
/// The type `public.composite-content`.
nonisolated(unsafe) public let kUTTypeCompositeContent: CFString = "public.composite-content"
/// The type `public.data`.
nonisolated(unsafe) public let kUTTypeData: CFString = "public.data"
/// The type `public.directory`.
nonisolated(unsafe) public let kUTTypeDirectory: CFString = "public.directory"
/// The type `public.folder`.
nonisolated(unsafe) public let kUTTypeFolder: CFString = "public.folder"
/// The type `com.apple.package`.
nonisolated(unsafe) public let kUTTypePackage: CFString = "com.apple.package"
/// The type `com.apple.bundle`.
nonisolated(unsafe) public let kUTTypeBundle: CFString = "com.apple.bundle"
/// The type `com.apple.resolvable`.
nonisolated(unsafe) public let kUTTypeResolvable: CFString = "com.apple.resolvable"
/// The type `public.url`.
nonisolated(unsafe) public let kUTTypeURL: CFString = "public.url"
/// The type `public.file-url`.
nonisolated(unsafe) public let kUTTypeFileURL: CFString = "public.file-url"
/// The type `public.text`.
nonisolated(unsafe) public let kUTTypeText: CFString = "public.text"
/// The type `public.plain-text`.
nonisolated(unsafe) public let kUTTypePlainText: CFString = "public.plain-text"
/// The type `public.utf8-plain-text`.
nonisolated(unsafe) public let kUTTypeUTF8PlainText: CFString = "public.utf8-plain-text"
/// The type `public.utf16-plain-text`.
nonisolated(unsafe) public let kUTTypeUTF16PlainText: CFString = "public.utf16-plain-text"
/// The type `public.utf16-external-plain-text`.
nonisolated(unsafe) public let kUTTypeUTF16ExternalPlainText: CFString =
  "public.utf16-external-plain-text"
/// The type `public.delimited-values-text`.
nonisolated(unsafe) public let kUTTypeDelimitedText: CFString = "public.delimited-values-text"
/// The type `public.comma-separated-values-text`.
nonisolated(unsafe) public let kUTTypeCommaSeparatedText: CFString =
  "public.comma-separated-values-text"
/// The type `public.tab-separated-values-text`.
nonisolated(unsafe) public let kUTTypeTabSeparatedText: CFString =
  "public.tab-separated-values-text"
/// The type `public.rtf`.
nonisolated(unsafe) public let kUTTypeRTF: CFString = "public.rtf"
/// The type `public.html`.
nonisolated(unsafe) public let kUTTypeHTML: CFString = "public.html"
/// The type `public.xml`.
nonisolated(unsafe) public let kUTTypeXML: CFString = "public.xml"
/// The type `public.json`.
nonisolated(unsafe) public let kUTTypeJSON: CFString = "public.json"
/// The type `com.apple.property-list`.
nonisolated(unsafe) public let kUTTypePropertyList: CFString = "com.apple.property-list"
/// The type `com.apple.xml-property-list`.
nonisolated(unsafe) public let kUTTypeXMLPropertyList: CFString = "com.apple.xml-property-list"
/// The type `com.apple.binary-property-list`.
nonisolated(unsafe) public let kUTTypeBinaryPropertyList: CFString =
  "com.apple.binary-property-list"
/// The type `public.source-code`.
nonisolated(unsafe) public let kUTTypeSourceCode: CFString = "public.source-code"
/// The type `public.swift-source`.
nonisolated(unsafe) public let kUTTypeSwiftSource: CFString = "public.swift-source"
/// The type `public.script`.
nonisolated(unsafe) public let kUTTypeScript: CFString = "public.script"
/// The type `com.netscape.javascript-source`.
nonisolated(unsafe) public let kUTTypeJavaScript: CFString = "com.netscape.javascript-source"
/// The type `public.shell-script`.
nonisolated(unsafe) public let kUTTypeShellScript: CFString = "public.shell-script"
/// The type `public.executable`.
nonisolated(unsafe) public let kUTTypeExecutable: CFString = "public.executable"
/// The type `com.adobe.pdf`.
nonisolated(unsafe) public let kUTTypePDF: CFString = "com.adobe.pdf"
/// The type `com.apple.rtfd`.
nonisolated(unsafe) public let kUTTypeRTFD: CFString = "com.apple.rtfd"
/// The type `com.apple.flat-rtfd`.
nonisolated(unsafe) public let kUTTypeFlatRTFD: CFString = "com.apple.flat-rtfd"
/// The type `com.apple.webarchive`.
nonisolated(unsafe) public let kUTTypeWebArchive: CFString = "com.apple.webarchive"
/// The type `public.image`.
nonisolated(unsafe) public let kUTTypeImage: CFString = "public.image"
/// The type `public.jpeg`.
nonisolated(unsafe) public let kUTTypeJPEG: CFString = "public.jpeg"
/// The type `public.tiff`.
nonisolated(unsafe) public let kUTTypeTIFF: CFString = "public.tiff"
/// The type `com.compuserve.gif`.
nonisolated(unsafe) public let kUTTypeGIF: CFString = "com.compuserve.gif"
/// The type `public.png`.
nonisolated(unsafe) public let kUTTypePNG: CFString = "public.png"
/// The type `com.apple.icns`.
nonisolated(unsafe) public let kUTTypeAppleICNS: CFString = "com.apple.icns"
/// The type `com.microsoft.bmp`.
nonisolated(unsafe) public let kUTTypeBMP: CFString = "com.microsoft.bmp"
/// The type `com.microsoft.ico`.
nonisolated(unsafe) public let kUTTypeICO: CFString = "com.microsoft.ico"
/// The type `public.camera-raw-image`.
nonisolated(unsafe) public let kUTTypeRawImage: CFString = "public.camera-raw-image"
/// The type `public.svg-image`.
nonisolated(unsafe) public let kUTTypeScalableVectorGraphics: CFString = "public.svg-image"
/// The type `com.apple.live-photo`.
nonisolated(unsafe) public let kUTTypeLivePhoto: CFString = "com.apple.live-photo"
/// The type `public.3d-content`.
nonisolated(unsafe) public let kUTType3DContent: CFString = "public.3d-content"
/// The type `public.audiovisual-content`.
nonisolated(unsafe) public let kUTTypeAudiovisualContent: CFString = "public.audiovisual-content"
/// The type `public.movie`.
nonisolated(unsafe) public let kUTTypeMovie: CFString = "public.movie"
/// The type `public.video`.
nonisolated(unsafe) public let kUTTypeVideo: CFString = "public.video"
/// The type `public.audio`.
nonisolated(unsafe) public let kUTTypeAudio: CFString = "public.audio"
/// The type `com.apple.quicktime-movie`.
nonisolated(unsafe) public let kUTTypeQuickTimeMovie: CFString = "com.apple.quicktime-movie"
/// The type `public.mpeg`.
nonisolated(unsafe) public let kUTTypeMPEG: CFString = "public.mpeg"
/// The type `public.mpeg-2-video`.
nonisolated(unsafe) public let kUTTypeMPEG2Video: CFString = "public.mpeg-2-video"
/// The type `public.mpeg-2-transport-stream`.
nonisolated(unsafe) public let kUTTypeMPEG2TransportStream: CFString =
  "public.mpeg-2-transport-stream"
/// The type `public.mp3`.
nonisolated(unsafe) public let kUTTypeMP3: CFString = "public.mp3"
/// The type `public.mpeg-4`.
nonisolated(unsafe) public let kUTTypeMPEG4: CFString = "public.mpeg-4"
/// The type `public.mpeg-4-audio`.
nonisolated(unsafe) public let kUTTypeMPEG4Audio: CFString = "public.mpeg-4-audio"
/// The type `com.apple.protected-mpeg-4-audio`.
nonisolated(unsafe) public let kUTTypeAppleProtectedMPEG4Audio: CFString =
  "com.apple.protected-mpeg-4-audio"
/// The type `com.apple.protected-mpeg-4-video`.
nonisolated(unsafe) public let kUTTypeAppleProtectedMPEG4Video: CFString =
  "com.apple.protected-mpeg-4-video"
/// The type `public.avi`.
nonisolated(unsafe) public let kUTTypeAVIMovie: CFString = "public.avi"
/// The type `public.aiff-audio`.
nonisolated(unsafe) public let kUTTypeAudioInterchangeFileFormat: CFString = "public.aiff-audio"
/// The type `com.microsoft.waveform-audio`.
nonisolated(unsafe) public let kUTTypeWaveformAudio: CFString = "com.microsoft.waveform-audio"
/// The type `public.midi-audio`.
nonisolated(unsafe) public let kUTTypeMIDIAudio: CFString = "public.midi-audio"
/// The type `public.playlist`.
nonisolated(unsafe) public let kUTTypePlaylist: CFString = "public.playlist"
/// The type `public.m3u-playlist`.
nonisolated(unsafe) public let kUTTypeM3UPlaylist: CFString = "public.m3u-playlist"
/// The type `public.archive`.
nonisolated(unsafe) public let kUTTypeArchive: CFString = "public.archive"
/// The type `org.gnu.gnu-zip-archive`.
nonisolated(unsafe) public let kUTTypeGNUZipArchive: CFString = "org.gnu.gnu-zip-archive"
/// The type `public.bzip2-archive`.
nonisolated(unsafe) public let kUTTypeBzip2Archive: CFString = "public.bzip2-archive"
/// The type `public.zip-archive`.
nonisolated(unsafe) public let kUTTypeZipArchive: CFString = "public.zip-archive"
/// The type `public.disk-image`.
nonisolated(unsafe) public let kUTTypeDiskImage: CFString = "public.disk-image"
/// The type `public.spreadsheet`.
nonisolated(unsafe) public let kUTTypeSpreadsheet: CFString = "public.spreadsheet"
/// The type `public.presentation`.
nonisolated(unsafe) public let kUTTypePresentation: CFString = "public.presentation"
/// The type `public.database`.
nonisolated(unsafe) public let kUTTypeDatabase: CFString = "public.database"
/// The type `public.message`.
nonisolated(unsafe) public let kUTTypeMessage: CFString = "public.message"
/// The type `public.contact`.
nonisolated(unsafe) public let kUTTypeContact: CFString = "public.contact"
/// The type `public.vcard`.
nonisolated(unsafe) public let kUTTypeVCard: CFString = "public.vcard"
/// The type `public.calendar-event`.
nonisolated(unsafe) public let kUTTypeCalendarEvent: CFString = "public.calendar-event"
/// The type `public.to-do-item`.
nonisolated(unsafe) public let kUTTypeToDoItem: CFString = "public.to-do-item"
/// The type `public.email-message`.
nonisolated(unsafe) public let kUTTypeEmailMessage: CFString = "public.email-message"
/// The type `public.font`.
nonisolated(unsafe) public let kUTTypeFont: CFString = "public.font"
/// The type `public.bookmark`.
nonisolated(unsafe) public let kUTTypeBookmark: CFString = "public.bookmark"
/// The type `com.rsa.pkcs-12`.
nonisolated(unsafe) public let kUTTypePKCS12: CFString = "com.rsa.pkcs-12"
/// The type `public.x509-certificate`.
nonisolated(unsafe) public let kUTTypeX509Certificate: CFString = "public.x509-certificate"
/// The type `org.idpf.epub-container`.
nonisolated(unsafe) public let kUTTypeElectronicPublication: CFString = "org.idpf.epub-container"
/// The type `public.log`.
nonisolated(unsafe) public let kUTTypeLog: CFString = "public.log"
