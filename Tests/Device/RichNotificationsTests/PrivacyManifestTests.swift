import Foundation
import TestSupport
import Testing

/// Source: Apple, "Privacy manifest files" and "Describing use of required reason API".
@Suite("The privacy manifests")
struct PrivacyManifestTests {
  static let sources = Repository.url("Sources/Device")

  static func manifest(of product: String) throws -> [String: Any] {
    let file = sources.appending(path: "\(product)/PrivacyInfo.xcprivacy")
    let plist = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: file), format: nil)
    return try #require(plist as? [String: Any])
  }

  /// What an app links of each product, and the APIs of each category by what they are called in Swift or C.
  static let rooms = [
    "RichNotifications": [
      "RichNotifications", "RichNotificationsObjC", "NotificationTemplates", "URLSessionMedia",
      "MediaLoading", "PushPayload", "PushCrypto",
    ],
    "MartletKit": ["MartletKit", "MartletKitUI", "MartletKitObjC", "PushPayload"],
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

  @Test(
    "each declares no tracking, and the data that the product sends",
    arguments: [
      ("RichNotifications", []), ("MartletKit", ["EmailAddress", "ProductInteraction", "UserID"]),
    ])
  func promises(product: String, data: [String]) throws {
    let manifest = try Self.manifest(of: product)
    #expect(manifest["NSPrivacyTracking"] as? Bool == false)
    #expect((manifest["NSPrivacyTrackingDomains"] as? [String])?.isEmpty == true)
    let collected = try #require(manifest["NSPrivacyCollectedDataTypes"] as? [[String: Any]])
    let types = collected.compactMap { $0["NSPrivacyCollectedDataType"] as? String }
    #expect(types.sorted() == data.map { "NSPrivacyCollectedDataType" + $0 })
    for entry in collected {
      #expect(entry["NSPrivacyCollectedDataTypeTracking"] as? Bool == false)
      #expect((entry["NSPrivacyCollectedDataTypePurposes"] as? [String])?.isEmpty == false)
    }
  }

  @Test(
    "each declares exactly the required-reason APIs that the sources use",
    arguments: rooms.keys.sorted())
  func categories(product: String) throws {
    let declared = try #require(
      try Self.manifest(of: product)["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
    let categories = declared.compactMap { $0["NSPrivacyAccessedAPIType"] as? String }
    #expect(Set(categories) == (try Self.used(in: Self.rooms[product] ?? [])))
    for entry in declared {
      #expect((entry["NSPrivacyAccessedAPITypeReasons"] as? [String])?.isEmpty == false)
    }
  }

  private static func used(in rooms: [String]) throws -> Set<String> {
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
