import Foundation
import Testing
@_spi(Host) import UserNotifications

@Suite("String(localized:)")
struct LocalizedStringTests {
  @Test("the strings are those of the extension's bundle, with the values in their places")
  func bundle() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).bundle")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(
      #"""
      "HELLO" = "Hallo";
      "%@ sent %lld pictures" = "%2$lld Bilder von %1$@";
      "RATE" = "%@ von 100 %%";
      """#.utf8
    ).write(to: folder.appending(path: "Localizable.strings"))
    var world = UNWorld()
    world.container = folder
    world.bundle = Bundle(path: folder.path())
    var texts: [String] = []
    world.run {
      let (name, count) = ("Ann", 2)
      texts = [
        String(localized: "HELLO", comment: "A greeting"),
        String(localized: "\(name) sent \(count) pictures"),
        String(localized: "RATE", defaultValue: "\(name) of 100 %"),
        String(localized: "UNKNOWN \(count) of 100 %"),
        String(localized: "MISSING", defaultValue: "Default \(count)", table: "Other"),
        String(localized: "100 %"),
        String(localized: String.LocalizationValue("HELLO"), bundle: .main),
        NSLocalizedString("HELLO", comment: ""),
        NSLocalizedString("MISSING", value: "Other", comment: ""),
      ]
    }
    #expect(
      texts == [
        "Hallo", "2 Bilder von Ann", "Ann von 100 %", "UNKNOWN 2 of 100 %", "Default 2", "100 %",
        "Hallo", "Hallo", "Other",
      ])
  }

  @Test("a subclass of the service extension overrides init")
  func initializer() {
    final class Service: UNNotificationServiceExtension {
      let text: String
      override init() {
        text = String(localized: "Hello")
        super.init()
      }
    }
    #expect(Service().text == "Hello")
  }
}
