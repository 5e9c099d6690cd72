import Foundation
import PushPayload
import Synchronization
import TestSupport
import Testing

@testable import RichNotifications

@Suite("The folder of media files", .timeLimit(.minutes(10)))
struct MediaFolderTests {
  static let now = Date(timeIntervalSince1970: 1_795_000_000)
  static let id = "6F9619FF-8B86-D011-B42D-00CF4FC964FF"

  static func plant(_ name: String, age: TimeInterval, in folder: TemporaryFolder) throws {
    _ = try folder.write("x", to: name)
    try touch(name, age: age, in: folder)
  }

  static func touch(_ name: String, age: TimeInterval, in folder: TemporaryFolder) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: now.addingTimeInterval(-age)], ofItemAtPath: folder.path(name))
  }

  @Test(
    "files that a killed extension left are deleted after an hour, and nothing else is",
    arguments: [
      ("martlet-\(id).part", 3601, true), ("martlet-\(id).part", 3600, false),
      ("martlet-\(id).part", -9000, false), ("martlet-\(id).jpeg", 3601, true),
      ("martlet-\(id).mp4", 3601, true), ("martlet-\(id).mp4", 3599, false),
      ("martlet-\(id).json", 9000, false), ("martlet-\(id)", 9000, false),
      ("martlet-.part", 9000, false), ("martlet-\(id)x.part", 9000, false),
      ("\(id).part", 9000, false), ("x-martlet-\(id).part", 9000, false),
      ("photo.png", 9000, false),
    ] as [(String, TimeInterval, Bool)])
  func leftovers(name: String, age: TimeInterval, isDeleted: Bool) throws {
    let folder = TemporaryFolder()
    try Self.plant(name, age: age, in: folder)
    MediaFolder.removeLeftovers(in: folder.url, at: Self.now)
    #expect(folder.contents == (isDeleted ? [] : [name]))
  }

  @Test("a folder and a link with the name of a media file stay")
  func noFiles() throws {
    let folder = TemporaryFolder()
    let (inner, link) = ("martlet-\(Self.id).part", "martlet-\(UUID().uuidString).png")
    try FileManager.default.createDirectory(
      at: folder.file(inner), withIntermediateDirectories: true)
    try Self.plant("other", age: 9000, in: folder)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(link), withDestinationPath: folder.path("other"))
    try Self.touch(inner, age: 9000, in: folder)
    MediaFolder.removeLeftovers(in: folder.url, at: Self.now.addingTimeInterval(1_000_000_000))
    #expect(Set(folder.contents) == [inner, link, "other"])
  }

  @Test("a missing folder has no files, and is created with the first one")
  func missing() throws {
    let folder = TemporaryFolder()
    let tmp = folder.file("tmp/Martlet")
    MediaFolder.removeLeftovers(in: tmp, at: Self.now)
    #expect(folder.contents.isEmpty)
    let file = try MediaFile(in: tmp)
    let names = try FileManager.default.contentsOfDirectory(atPath: tmp.path)
    #expect(names.count == 1 && names[0].hasPrefix("martlet-") && names[0].hasSuffix(".part"))
    file.discard()
    #expect(try FileManager.default.contentsOfDirectory(atPath: tmp.path).isEmpty)
  }

  /// Starts a delivery in a folder with an old file, and another extension's file that is a minute old.
  static func begin(_ payload: JSONValue) throws -> (folder: TemporaryFolder, loader: ManualLoader)
  {
    let (loader, folder) = (ManualLoader(), TemporaryFolder())
    try plant("martlet-\(id).part", age: 4000, in: folder)
    try plant("martlet-\(UUID().uuidString).part", age: 60, in: folder)
    var environment = Sample.environment(loader, folder: folder.url)
    environment.date = { now }
    RichDelivery(
      IncomingNotification(payload: payload, text: NotificationText()), environment: environment
    ) { _ in }.begin()
    return (folder, loader)
  }

  @Test(
    "a delivery with media deletes leftovers before it fetches, and no file of another delivery")
  func delivery() throws {
    let (folder, loader) = try Self.begin(Sample.payload(["https://a/1"]))
    #expect(loader.loads.count == 1)
    #expect(folder.contents.count == 1)
    #expect(!folder.contents.contains("martlet-\(Self.id).part"))
    loader.sink?.respond(200, body: Sample.png)
    #expect(folder.contents.count == 2)
  }

  @Test("a delivery without media does not look for them")
  func textOnly() throws {
    #expect(try Self.begin(["aps": ["alert": "B"]]).folder.contents.count == 2)
  }
}
