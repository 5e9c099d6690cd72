import Foundation
import MobileCoreServices
import Testing
import UniformTypeIdentifiers
import UserNotifications

// The code is our own, in the forms of published apps and extensions.

/// The form of `mimeTypeFromFileExtension` and `mimeTypeForPath` in many apps: the MIME type of an extension.
private func mimeType(ofExtension fileExtension: String) -> String {
  guard
    let uti: CFString = UTTypeCreatePreferredIdentifierForTag(
      kUTTagClassFilenameExtension, fileExtension as NSString, nil)?.takeRetainedValue(),
    let mimeType: CFString = UTTypeCopyPreferredTagWithClass(uti, kUTTagClassMIMEType)?
      .takeRetainedValue()
  else { return "application/octet-stream" }
  return mimeType as String
}

/// The form of media loaders: the identifier of a response's MIME type.
private func contentType(ofMIMEType mimeType: String) -> String? {
  guard
    let type = UTTypeCreatePreferredIdentifierForTag(
      kUTTagClassMIMEType, mimeType as CFString, nil)?.takeRetainedValue()
  else { return nil }
  return type as String
}

/// The form of service extensions that name the downloaded file by its type.
private func typeHint(of response: (mimeType: String?, url: URL)) -> String {
  if let mimeType = response.mimeType, let type = UTType(mimeType: mimeType),
    let name = type.preferredFilenameExtension
  {
    return name
  }
  return response.url.pathExtension.isEmpty ? UTType.jpeg.identifier : response.url.pathExtension
}

@Suite("Code of published extensions with type identifiers")
struct PublishedTypeTests {
  @Test(
    "MobileCoreServices knows an extension's MIME type",
    arguments: [
      ("png", "image/png"), ("jpg", "image/jpeg"), ("mp4", "video/mp4"), ("mp3", "audio/mpeg"),
      ("xyz", "application/octet-stream"),
    ])
  func mimeTypes(name: String, expected: String) {
    #expect(mimeType(ofExtension: name) == expected)
  }

  @Test("MobileCoreServices knows a MIME type's identifier")
  func identifiers() throws {
    #expect(contentType(ofMIMEType: "video/mp4") == "public.mpeg-4")
    #expect(contentType(ofMIMEType: "x/y")?.hasPrefix("dyn.a") == true)
    let png = try #require(contentType(ofMIMEType: "image/png"))
    #expect(UTTypeConformsTo(png as CFString, kUTTypeImage))
    #expect(!UTTypeConformsTo(kUTTypeMP3, kUTTypeMovie))
    #expect(UTTypeEqual(kUTTypePNG, "PUBLIC.PNG" as CFString))
    #expect(!UTTypeIsDynamic(kUTTypePNG) && UTTypeIsDeclared(kUTTypePNG))
  }

  @Test("a constant is a type hint of an attachment")
  func hint() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).tmp")
    try Data([0x89, 0x50]).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let options: [AnyHashable: Any] = [UNNotificationAttachmentOptionsTypeHintKey: kUTTypePNG]
    let attachment = try UNNotificationAttachment(identifier: "a", url: file, options: options)
    #expect(attachment.type == kUTTypePNG as String)
    #expect(
      [kUTTypeImage as String, kUTTypeGIF as String] == ["public.image", "com.compuserve.gif"])
  }

  @Test("a file is named by the type of its response")
  func names() throws {
    let url = try #require(URL(string: "https://cdn.example/a"))
    #expect(typeHint(of: ("image/gif", url)) == "gif")
    #expect(typeHint(of: (nil, url)) == "public.jpeg")
  }
}
