import BundleDoctor
import BundleFixtures
import Foundation
import TestSupport
import Testing

@Suite("Extensions of other kinds")
struct OtherExtensionTests {
  /// An app with the good service extension and another extension, whose class is not in its code
  /// and which has every other fault that a service extension can have.
  private func layout(_ change: (inout BundleLayout) -> Void) -> AppLayout {
    var other = BundleLayout.other("Other", point: "com.apple.share-services")
    other.set(extensionKey: "NSExtensionMainStoryboard", "MainInterface")
    other.set(extensionKey: "NSExtensionPrincipalClass", nil)
    other.code?.architectures = ["armv7"]
    change(&other)
    var layout = AppLayout.good
    layout.extensions["PlugIns/Other.appex"] = other
    return layout
  }

  private static let points: [PropertyList] = [
    "com.apple.share-services", "com.apple.ui-services", "com.apple.widgetkit-extension",
    "com.apple.intents-service", "com.apple.intents-ui-service", "com.apple.keyboard-service",
    "com.apple.Safari.web-extension",
    "com.apple.location.push.service", "com.apple.networkextension.packet-tunnel",
    "com.apple.a-point-of-next-year",
  ]

  @Test("an extension of any other point has no finding", arguments: points)
  func other(_ point: PropertyList) throws {
    let layout = layout { $0.set(extensionKey: "NSExtensionPointIdentifier", point) }
    #expect(try RuleTests.codes(layout) == [])
  }

  @Test("nor has one given by itself, but a note that says what it is", arguments: points)
  func alone(_ point: PropertyList) throws {
    var layout = layout { $0.set(extensionKey: "NSExtensionPointIdentifier", point) }
    layout.container = .appex
    layout.service = layout.extensions["PlugIns/Other.appex"]
    let diagnosis = try RuleTests.diagnosis(layout)
    #expect(diagnosis.findings.map(\.rule.code) == ["other-extension"])
    #expect(diagnosis.findings.first?.message.contains(point.string ?? "?") == true)
  }

  @Test("an extension of ExtensionKit, which has no NSExtension, has no finding")
  func extensionKit() throws {
    var layout = layout {
      $0.info["NSExtension"] = nil
      $0.info["EXAppExtensionAttributes"] = [
        "EXExtensionPointIdentifier": "com.apple.appintents-extension"
      ]
    }
    layout.extensions["Extensions/Intents.appex"] = layout.extensions.removeValue(
      forKey: "PlugIns/Other.appex")
    #expect(try RuleTests.codes(layout) == [])
  }

  @Test(
    "an extension whose NSExtension says nothing, or whose point is misspelled, is reported",
    arguments: [
      nil, "", 7, "com.apple.usernotification.service", "com.apple.usernotifications.services",
      "com.apple.usernotifications-service", "com.apple.UserNotifications.Service",
      "com.apple.usernotifcations.service", "com.aple.usernotifications.service",
      "com.apple.notification-service", "com.apple.usernotifications",
    ] as [PropertyList?])
  func unclear(_ point: PropertyList?) throws {
    let layout = layout { $0.set(extensionKey: "NSExtensionPointIdentifier", point) }
    #expect(try RuleTests.codes(layout).contains("point-identifier"))
  }

  @Test("an unknown point with Martlet's settings, or the usual class, is reported")
  func meant() throws {
    let unknown: PropertyList = "com.example.point"
    for change in [
      { $0.info["Martlet"] = [:] },
      { $0.set(extensionKey: "NSExtensionPrincipalClass", "Other.NotificationService") },
    ] as [(inout BundleLayout) -> Void] {
      let layout = layout {
        $0.set(extensionKey: "NSExtensionPointIdentifier", unknown)
        change(&$0)
      }
      #expect(try RuleTests.codes(layout).contains("point-identifier"))
    }
  }

  @Test("an app with other extensions alone is told which it has")
  func none() throws {
    var layout = layout { _ in }
    layout.service = nil
    let finding = try RuleTests.diagnosis(layout).findings.first
    #expect(finding?.rule.code == "no-service-extension")
    #expect(finding?.message.contains("Other.appex (com.apple.share-services)") == true)
  }
}
