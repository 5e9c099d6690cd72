import Foundation
import Testing

@testable import MartletKit

/// Source: Apple, "Entitlements, APS Environment Entitlement"; a profile is a CMS message (RFC 5652) around a property list.
@Suite("The gateway of a build")
struct GatewayTests {
  static func profile(_ entitlements: String) -> Data {
    var bytes = Data([0x30, 0x82, 0x2f, 0x00, 0xff, 0xfe])
    bytes += Data(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>Name</key><string>development</string>
      <key>Entitlements</key><dict>\(entitlements)</dict></dict></plist>
      """.utf8)
    return bytes + Data([0x00, 0x80, 0xff])
  }

  @Test(
    "the profile's entitlement decides, and without one it is production",
    arguments: [
      ("<key>aps-environment</key>\n\t\t<string>development</string>", PushGateway.development),
      ("<key>aps-environment</key><string>production</string>", .production),
      (
        "<key>com.apple.developer.aps-environment</key><string>development</string>", .development
      ),
      ("<key>get-task-allow</key><true/>", .production),
      ("<key>aps-environment</key><array/>", .production),
      ("<key>aps-environment</key>", .production),
    ])
  func entitlement(text: String, gateway: PushGateway) {
    #expect(PushGateway(profile: Self.profile(text)) == gateway)
  }

  @Test("no profile, and one that is none, is production")
  func none() {
    #expect(PushGateway(profile: nil) == .production)
    #expect(PushGateway(profile: Data()) == .production)
    #expect(PushGateway(profile: Data(repeating: 0xff, count: 1000)) == .production)
  }
}
