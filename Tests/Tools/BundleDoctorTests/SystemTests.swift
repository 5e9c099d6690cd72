import BundleDoctor
import BundleFixtures
import Foundation
import TestSupport
import Testing

@Suite("The system that a bundle is for")
struct SystemTests {
  private func inspection(_ layout: AppLayout) throws -> Inspection {
    let folder = TemporaryFolder()
    let path = try layout.write(in: folder.url)
    return try withExtendedLifetime(folder) { try Inspection(path: path, now: RuleTests.now) }
  }

  private func codes(_ layout: AppLayout) throws -> [String] {
    BundleDoctor().examine(try inspection(layout)).findings.map(\.rule.code)
  }

  private static let containers: [Inspection.Kind] = [.app, .appex, .xcarchive]

  @Test(
    "an app for the Mac is examined in the layout of the Mac", arguments: [false, true], containers)
  func mac(_ isCatalyst: Bool, _ container: Inspection.Kind) throws {
    var layout = AppLayout.mac(catalyst: isCatalyst)
    layout.container = container
    let inspection = try inspection(layout)
    #expect(inspection.system == (isCatalyst ? .macCatalyst : .macOS))
    let diagnosis = BundleDoctor().examine(inspection)
    #expect(
      diagnosis.findings.map { "\($0.rule.code): \($0.message)" }
        == (container == .appex ? ["app-not-seen: it was given without its app"] : []))
    #expect(diagnosis.skipped.contains("profile-missing"))
    #expect(inspection.services.count == 1)
    #expect(inspection.services.first?.minimumSystem?.description == "13.0")
  }

  @Test("the faults of a Mac app are found: keys, versions, search paths, push")
  func macFaults() throws {
    var layout = AppLayout.mac(catalyst: false)
    layout.service?.set(extensionKey: "NSExtensionPrincipalClass", nil)
    layout.service?.info["LSMinimumSystemVersion"] = "14.0"
    layout.service?.code?.libraries = ["@rpath/Some.framework/Versions/A/Some"]
    layout.service?.code?.searchPaths = ["@executable_path/../Frameworks"]
    layout.app.files["Frameworks/Some.framework/Versions/A/Some"] = Data([0])
    layout.app.claim("com.apple.developer.aps-environment", nil)
    #expect(
      try codes(layout) == [
        "framework-not-found", "principal-class", "deployment-target", "aps-environment-missing",
      ])
    let paths = BundleDoctor().examine(try inspection(layout)).findings.map(\.path)
    #expect(paths.first == "Contents/PlugIns/NotificationService.appex")
  }

  @Test(
    "a bundle for tvOS or watchOS is refused by the name of its system",
    arguments: [
      (3, "tvOS", "no notification service extension"), (8, "tvOS", "no notification service"),
      (4, "watchOS", "iPhone app"), (9, "watchOS", "iPhone app"),
    ] as [(UInt32, String, String)], containers)
  func refused(
    _ system: (UInt32, String, String), _ container: Inspection.Kind
  ) throws {
    var layout = AppLayout.good
    layout.container = container
    let (platform, name, words) = system
    layout.app.code?.platform = platform
    layout.service?.code?.platform = platform
    let error = try #require(throws: BundleError.self) { try inspection(layout) }
    #expect(error.code == .otherSystem)
    #expect(error.message.contains("for \(name): "))
    #expect(error.message.contains(words))
  }

  @Test(
    "without an executable the Info.plist tells the system",
    arguments: [
      (["CFBundleSupportedPlatforms": ["iPhoneOS"]], .iOS), (["DTPlatformName": "xros"], .visionOS),
      (["DTPlatformName": "iphonesimulator"], .iOS), ([:], .iOS),
      (["CFBundleSupportedPlatforms": ["XROS"], "DTPlatformName": "xros"], .visionOS),
      (["CFBundleSupportedPlatforms": ["MacOSX"]], .macOS),
      (["DTPlatformName": "macosx", "UIDeviceFamily": [2]], .macCatalyst),
      (["LSMinimumSystemVersion": "12.0"], .macOS),
      (["CFBundleSupportedPlatforms": ["AppleTVOS"]], nil),
      (["CFBundleSupportedPlatforms": ["AppleTVSimulator"]], nil),
      (["DTPlatformName": "watchos"], nil), (["ITSWatchOnlyContainer": true], nil),
    ] as [([String: PropertyList], AppleSystem?)])
  func infoPlist(_ info: [String: PropertyList], _ system: AppleSystem?) throws {
    var layout = AppLayout.good
    layout.app.code = nil
    layout.app.info["MinimumOSVersion"] = nil
    layout.app.info.merge(info) { $1 }
    #expect((try? inspection(layout))?.system == system)
  }

  @Test(
    "the commands of old executables tell the system too",
    arguments: [(0x24, 1), (0x25, 2), (0x2f, 3), (0x30, 4)] as [(UInt8, UInt32)])
  func oldCommands(_ command: UInt8, _ platform: UInt32) throws {
    let words: [UInt32] = [0x0100_000c, 0, 2, 1, 16, 0, 0, UInt32(command), 16, 0x000b_0200, 0]
    let magic: [UInt8] = [0xcf, 0xfa, 0xed, 0xfe]
    let bytes = words.reduce(magic) { bytes, word in
      bytes + withUnsafeBytes(of: word.littleEndian, Array.init)
    }
    let slice = try #require(try MachO(Data(bytes)).slices.first)
    #expect(slice.platform?.rawValue == platform)
    #expect(slice.minimumSystem?.description == "11.2")
  }
}
