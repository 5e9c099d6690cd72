import Foundation
import Testing
@_spi(Host) import UserNotifications

@Suite("The replacement of defaults, and of URLs that are read at once")
struct DefaultsTests {
  /// Runs code in an extension with a container of its own.
  private func inExtension(_ body: (URL) throws -> Void) throws {
    let root = FileManager.default.temporaryDirectory
      .appending(path: "martlet-tests/\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: root) }
    var world = UNWorld()
    world.container = root
    world.appGroups = ["group.a": root.appending(path: "group")]
    world.network = StubNetwork { request in
      (request.url?.lastPathComponent == "missing" ? 404 : 200, Data("bytes".utf8))
    }
    var result: Result<Void, any Error> = .success(())
    world.run { result = Result { try body(root) } }
    try result.get()
  }

  @Test("values are kept in the container or the app group, and nil removes them")
  func values() throws {
    try inExtension { root in
      let group = try #require(UserDefaults(suiteName: "group.a"))
      for defaults in [group, UserDefaults.standard] as [UserDefaults] {
        defaults.set(3, forKey: "count")
        defaults.set("a", forKey: "text")
        defaults.register(defaults: ["count": 1, "other": 7])
        #expect(defaults.integer(forKey: "count") == 3 && defaults.integer(forKey: "other") == 7)
        #expect(defaults.value(forKey: "text") as? String == "a")
        defaults.setValue(4, forKey: "count")
        defaults.set(nil, forKey: "text")
        let none: Any? = nil
        defaults.set(none, forKey: "text")
        #expect(defaults.integer(forKey: "count") == 4 && defaults.string(forKey: "text") == nil)
      }
      let again = UserDefaults(suiteName: "group.a")
      #expect(again?.integer(forKey: "count") == 4)
      for file in ["group/Library/Preferences/group.a.plist", "Library/Preferences/standard.plist"]
      {
        #expect(FileManager.default.fileExists(atPath: root.appending(path: file).path()))
      }
    }
  }

  @Test("a web URL is read over the phone's network")
  func contents() throws {
    try inExtension { _ in
      let url = try #require(URL(string: "https://example.com/a"))
      let bytes = Data("bytes".utf8)
      #expect(try Data(contentsOf: url) == bytes)
      #expect(try Data(contentsOf: url, options: .mappedIfSafe) == bytes)
      #expect(NSData(contentsOf: url) == bytes as NSData)
      #expect(try String(contentsOf: url, encoding: .utf8) == "bytes")
      let missing = try #require(URL(string: "https://example.com/missing"))
      #expect(throws: CocoaError.self) { try Data(contentsOf: missing) }
      #expect(NSData(contentsOf: missing) == nil)
    }
  }

  @Test("a phone without a network fails, and files are read")
  func withoutNetwork() throws {
    let folder = FileManager.default.temporaryDirectory
    var world = UNWorld()
    world.container = folder
    world.run {
      let url = URL(string: "https://example.com/a")
      #expect(throws: URLError.self) { try url.map { try Data(contentsOf: $0) } }
      #expect((try? Data(contentsOf: URL(filePath: #filePath)))?.isEmpty == false)
    }
  }
}
