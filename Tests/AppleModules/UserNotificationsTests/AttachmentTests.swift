import Foundation
import Testing
@_spi(Host) import UserNotifications

@Suite("UNNotificationAttachment")
struct AttachmentTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  /// Calls a closure with a file in a temporary folder.
  private func withFile(
    _ name: String, bytes: UInt64 = 1, _ body: (URL) throws -> Void
  ) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: name)
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: bytes)
    try handle.close()
    try body(file)
  }

  @Test(
    "the type follows the path extension, and an unknown one throws 101",
    arguments: [
      ("aiff", "public.aiff-audio"), ("wav", "com.microsoft.waveform-audio"),
      ("mp3", "public.mp3"), ("m4a", "com.apple.m4a-audio"), ("JPG", "public.jpeg"),
      ("jpeg", "public.jpeg"), ("gif", "com.compuserve.gif"), ("png", "public.png"),
      ("heic", "public.heic"), ("mpg", "public.mpeg"), ("m2v", "public.mpeg-2-video"),
      ("mp4", "public.mpeg-4"), ("avi", "public.avi"), ("mov", "com.apple.quicktime-movie"),
      ("webp", nil), ("tiff", nil), ("pdf", nil), ("tmp", nil), ("", nil),
    ] as [(String, String?)])
  func types(_ name: String, _ type: String?) throws {
    try withFile(name.isEmpty ? "file" : "file." + name) { file in
      guard let type else {
        #expect { try UNNotificationAttachment(identifier: "a", url: file) } throws: {
          UNError.attachmentUnrecognizedType ~= $0
        }
        return
      }
      let attachment = try UNNotificationAttachment(identifier: "a", url: file)
      #expect(attachment.type == type)
    }
  }

  @Test(
    "a file over its family's limit throws 102",
    arguments: [("mp3", 5_000_000), ("png", 10_000_000), ("mp4", 50_000_000)] as [(String, UInt64)])
  func sizes(_ name: String, _ limit: UInt64) throws {
    try withFile("file." + name, bytes: limit) { file in
      _ = try UNNotificationAttachment(identifier: "a", url: file)
    }
    try withFile("file." + name, bytes: limit + 1) { file in
      #expect { try UNNotificationAttachment(identifier: "a", url: file) } throws: {
        UNError.attachmentInvalidFileSize ~= $0
      }
    }
  }

  @Test("the type hint takes precedence, and one of a wrong class is ignored")
  func hint() throws {
    let key = UNNotificationAttachmentOptionsTypeHintKey
    try withFile("file.tmp") { file in
      let hinted = try UNNotificationAttachment(
        identifier: "a", url: file, options: [key: "public.png"])
      #expect(hinted.type == "public.png")
    }
    try withFile("file.gif") { file in
      let attachment = try UNNotificationAttachment(identifier: "a", url: file, options: [key: 1])
      #expect(attachment.type == "com.compuserve.gif")
    }
  }

  @Test("an empty identifier is replaced by a generated one")
  func identifier() throws {
    try withFile("file.png") { file in
      let made = try UNNotificationAttachment(identifier: "", url: file).identifier
      #expect(UUID(uuidString: made) != nil)
      let named = try UNNotificationAttachment(identifier: "x", url: file)
      #expect(named.identifier == "x")
    }
  }

  @Test(
    "what is no file, or not there, is refused with 100", arguments: ["https://a/b.png", "/no.png"])
  func noFile(_ address: String) throws {
    let url = try #require(address.hasPrefix("/") ? URL(filePath: address) : URL(string: address))
    #expect { try UNNotificationAttachment(identifier: "a", url: url) } throws: {
      UNError.attachmentInvalidURL ~= $0
    }
  }
}
