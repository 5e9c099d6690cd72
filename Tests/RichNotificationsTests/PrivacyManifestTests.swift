import Foundation
import Testing

/// Source: Apple, "Privacy manifest files" and "Describing use of required reason API".
@Suite("The privacy manifest")
struct PrivacyManifestTests {
  static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources").standardizedFileURL

  static func manifest() throws -> [String: Any] {
    let file = sources.appending(path: "RichNotifications/PrivacyInfo.xcprivacy")
    let plist = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: file), format: nil)
    return try #require(plist as? [String: Any])
  }

  /// What an app links, and the APIs of each category by what they are called in Swift or C.
  static let rooms = [
    "RichNotifications", "RichNotificationsObjC", "URLSessionMedia", "MediaLoading", "PushPayload",
    "PushCrypto",
  ]
  static let names: [String: [String]] = [
    "NSPrivacyAccessedAPICategoryFileTimestamp": [
      "creationDate", "modificationDate", "ModificationDate", "CreationDate", "stat(",
      "getattrlist",
    ],
    "NSPrivacyAccessedAPICategorySystemBootTime": ["systemUptime", "mach_absolute_time"],
    "NSPrivacyAccessedAPICategoryDiskSpace": [
      "volumeAvailableCapacity", "volumeTotalCapacity", "systemFreeSize", "systemSize", "statfs",
      "statvfs",
    ],
    "NSPrivacyAccessedAPICategoryActiveKeyboards": ["activeInputModes"],
    "NSPrivacyAccessedAPICategoryUserDefaults": ["UserDefaults"],
  ]

  @Test("it declares no tracking and no collected data")
  func promises() throws {
    let manifest = try Self.manifest()
    #expect(manifest["NSPrivacyTracking"] as? Bool == false)
    #expect((manifest["NSPrivacyTrackingDomains"] as? [String])?.isEmpty == true)
    #expect((manifest["NSPrivacyCollectedDataTypes"] as? [Any])?.isEmpty == true)
  }

  @Test("it declares exactly the required-reason APIs that the sources use")
  func categories() throws {
    let declared = try #require(
      try Self.manifest()["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
    let categories = declared.compactMap { $0["NSPrivacyAccessedAPIType"] as? String }
    #expect(Set(categories) == (try Self.used()))
    for entry in declared {
      #expect((entry["NSPrivacyAccessedAPITypeReasons"] as? [String])?.isEmpty == false)
    }
  }

  private static func used() throws -> Set<String> {
    var used: Set<String> = []
    for room in rooms {
      let files = FileManager.default.enumerator(
        at: sources.appending(path: room), includingPropertiesForKeys: nil)
      for case let file as URL in try #require(files)
      where ["swift", "m", "h"].contains(file.pathExtension) {
        let text = try String(contentsOf: file, encoding: .utf8)
        for (category, names) in names where names.contains(where: text.contains) {
          used.insert(category)
        }
      }
    }
    return used
  }
}
