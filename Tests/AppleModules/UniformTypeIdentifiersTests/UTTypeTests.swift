import Foundation
import Testing
import UniformTypeIdentifiers

@Suite("UTType")
struct UTTypeTests {
  @Test(
    "an extension leads to Apple's identifier and MIME type",
    arguments: [
      ("png", "public.png", "image/png"), ("JPG", "public.jpeg", "image/jpeg"),
      ("gif", "com.compuserve.gif", "image/gif"), ("heic", "public.heic", "image/heic"),
      ("webp", "org.webmproject.webp", "image/webp"), ("mp4", "public.mpeg-4", "video/mp4"),
      ("mov", "com.apple.quicktime-movie", "video/quicktime"),
      ("mp3", "public.mp3", "audio/mpeg"), ("m4a", "com.apple.m4a-audio", "audio/x-m4a"),
      ("wav", "com.microsoft.waveform-audio", "audio/vnd.wave"),
      ("pdf", "com.adobe.pdf", "application/pdf"), ("json", "public.json", "application/json"),
      ("txt", "public.plain-text", "text/plain"), ("vcf", "public.vcard", "text/vcard"),
      (
        "docx", "org.openxmlformats.wordprocessingml.document",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
      ),
    ])
  func tags(name: String, identifier: String, mimeType: String) throws {
    let type = try #require(UTType(filenameExtension: name))
    #expect(type.identifier == identifier && type.preferredMIMEType == mimeType)
    #expect(UTType(mimeType: mimeType.uppercased()) == type)
    #expect(type.isDeclared && !type.isDynamic)
  }

  @Test("a tag leads only to a type that conforms to the asked one")
  func conformance() throws {
    #expect(UTType(filenameExtension: "png", conformingTo: .image) == .png)
    #expect(UTType(filenameExtension: "png", conformingTo: .movie)?.isDynamic == true)
    #expect(UTType.jpeg.preferredFilenameExtension == "jpeg")
    #expect(UTType.image.preferredFilenameExtension == nil && UTType.image.tags.isEmpty)
    #expect(UTType.mpeg4Movie.conforms(to: .movie) && UTType.movie.conforms(to: .movie))
    #expect(!UTType.movie.conforms(to: .mpeg4Movie) && !UTType.mp3.conforms(to: .movie))
    #expect(UTType.heic.isSubtype(of: .data) && !UTType.data.isSubtype(of: .data))
    #expect(UTType.data.isSupertype(of: .pdf) && UTType.png.isPublic && !UTType.gif.isPublic)
    #expect(UTType.png.supertypes == [.image, .data, .content, .item])
  }

  /// Identifiers that systems of Apple made, as public repositories have them: .gpx measured on iOS 26, .srt and .conf in
  /// the output of `mdls`, .mcpb in a dump of Launch Services, the others in lists of types and in tests of UTIs.
  static let dynamic: [(name: String, parent: UTType?, identifier: String)] = [
    ("gpx", .data, "dyn.ah62d4rv4ge80s6d2"), ("srt", .data, "dyn.ah62d4rv4ge81g6xy"),
    ("conf", .data, "dyn.ah62d4rv4ge80g55sq2"), ("mcpb", .data, "dyn.ah62d4rv4ge80425uqk"),
    ("rs", .plainText, "dyn.ah62d4sb4ge81e62"), ("rs", nil, "dyn.age81e62"),
    ("go", nil, "dyn.age80s52"), ("", nil, "dyn.age8u"),
  ]

  @Test(
    "an unknown extension leads to the dynamic type that Apple's systems make", arguments: dynamic)
  func dynamicTypes(name: String, parent: UTType?, identifier: String) throws {
    let type = try #require(UTType(tag: name, tagClass: .filenameExtension, conformingTo: parent))
    #expect(type.identifier == identifier && type.isDynamic && !type.isDeclared)
    let read = try #require(UTType(identifier))
    #expect(read == type && read.preferredFilenameExtension == name)
    #expect(parent.map { read.conforms(to: $0) } ?? read.supertypes.isEmpty)
  }

  @Test("an identifier that is neither declared nor dynamic has no type")
  func unknown() {
    #expect(UTType("com.example.none") == nil && UTType("dyn.a!") == nil && UTType("dyn.a") == nil)
    #expect(UTType(exportedAs: "com.example.own").identifier == "com.example.own")
    #expect(UTType("public.png") == .png)
  }

  @Test("separators in a tag are kept", arguments: ["a:b", "a=b", "a,b", #"a\b"#, "?a", "ä"])
  func escaping(tag: String) throws {
    let type = try #require(UTType(mimeType: tag))
    #expect(UTType(type.identifier)?.preferredMIMEType == tag)
    #expect(type.conforms(to: .data))
  }

  @Test("a type is encoded as its identifier")
  func coding() throws {
    let data = try JSONEncoder().encode([UTType.png])
    #expect(String(decoding: data, as: UTF8.self) == #"["public.png"]"#)
    #expect(try JSONDecoder().decode([UTType].self, from: data) == [.png])
    #expect(Set([UTType.png, .png, .gif]).count == 2 && "\(UTType.png)" == "public.png")
  }

  @Test("a URL gets the preferred extension unless it has one of the type's")
  func urls() {
    let folder = URL(fileURLWithPath: "/tmp")
    let names = ["a", "a.jpg", "a.txt"].map {
      folder.appendingPathComponent($0, conformingTo: .jpeg).lastPathComponent
    }
    #expect(names == ["a.jpeg", "a.jpg", "a.txt.jpeg"])
    #expect(folder.appendingPathExtension(for: .png).lastPathComponent == "tmp.png")
  }
}
