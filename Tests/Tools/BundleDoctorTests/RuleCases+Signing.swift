import BundleDoctor
import BundleFixtures
import Foundation

extension RuleCase {
  static let signatures: [RuleCase] = [
    RuleCase("unsigned") {
      $0.app.code?.signature = nil
      $0.service?.code?.signature?.isAdHoc = true
    },
    RuleCase("signature-missing") { $0.service?.code?.signature = nil },
    RuleCase("changed-after-signing") { $0.service?.lateInfo = ["Late": true] },
    RuleCase("signature-bundle-id") {
      $0.service?.code?.signature?.identifier = "com.example.app.Old"
    },
    RuleCase("signature-bundle-id") {
      $0.service?.code?.signature?.entitlements["application-identifier"] = "TEAM123456.com.example"
    },
    RuleCase("entitlements-der") {
      $0.service?.code?.signature?.hasDER = false
    } good: {
      $0.service?.code?.signature?.hasXML = false
    },
    RuleCase("team-mismatch") {
      $0.service?.code?.signature?.teamID = "OTHER12345"
      $0.service?.profile?.teamID = "OTHER12345"
    } good: {
      for key in ["com.apple.developer.team-identifier"] { $0.service?.claim(key, "OTHER12345") }
    },
    RuleCase("team-mismatch") { $0.service?.profile?.teamID = "OTHER12345" },
  ]

  static let profiles: [RuleCase] = [
    RuleCase("profile") { $0.service?.profileBytes = Array("no profile".utf8) },
    RuleCase("profile") {
      $0.service?.profileBytes = try? ProfileLayout.signed(Array("no property list".utf8))
    },
    RuleCase("profile-missing") {
      $0.service?.profile = nil
    } good: {
      $0.service?.profile = nil
      $0.service?.code?.isEncrypted = true
    },
    RuleCase("profile-expired") {
      $0.service?.profile?.expires = RuleTests.now
    } good: {
      $0.service?.profile?.expires = RuleTests.now + 1
    },
    RuleCase("profile-bundle-id") {
      $0.service?.profile?.entitlements["application-identifier"] = "TEAM123456.com.example.app"
    } good: {
      $0.service?.profile?.entitlements["application-identifier"] = "TEAM123456.com.example.*"
    },
    RuleCase("entitlement-not-granted") {
      $0.service?.claim(
        "com.apple.developer.usernotifications.filtering", true, isGranted: false)
    } good: {
      $0.service?.claim("com.apple.developer.usernotifications.filtering", true)
      $0.service?.claim("keychain-access-groups", ["TEAM123456.shared"], isGranted: false)
      $0.app.claim("keychain-access-groups", ["TEAM123456.shared"], isGranted: false)
    },
    RuleCase("entitlement-not-granted") {
      $0.service?.profile?.entitlements[groups] = ["group.other"]
    },
    RuleCase("get-task-allow") {
      $0.service?.claim("get-task-allow", true, isGranted: false)
    } good: {
      $0.service?.claim("get-task-allow", true)
    },
  ]

  static let entitlements: [RuleCase] = [
    RuleCase("aps-environment-missing") { $0.app.claim("aps-environment", nil) },
    RuleCase("aps-environment") {
      $0.app.claim("aps-environment", "development", isGranted: false)
    } good: {
      $0.app.claim("aps-environment", "development")
    },
    RuleCase("aps-environment") { $0.app.profile?.entitlements["aps-environment"] = nil },
    RuleCase("app-groups") {
      $0.service?.claim(groups, nil)
    } good: {
      $0.service?.claim(groups, nil)
      $0.app.claim(groups, nil)
    },
    RuleCase("app-groups") {
      $0.service?.claim(groups, ["group.com.example.other"])
    } good: {
      $0.service?.claim(groups, ["group.com.example.other", "group.com.example.app"])
    },
    RuleCase("app-group-name") {
      $0.service?.claim(groups, ["group.com.example.app", "com.example.app"])
    },
    RuleCase("keychain-groups") {
      $0.app.claim(groups, nil)
      $0.service?.claim(groups, nil)
      $0.app.claim("keychain-access-groups", ["TEAM123456.shared"], isGranted: false)
    } good: {
      $0.app.claim(
        "keychain-access-groups", ["TEAM123456.com.example.app", "TEAM123456.shared"],
        isGranted: false)
    },
    RuleCase("filtering-place") {
      $0.app.claim("com.apple.developer.usernotifications.filtering", true)
    } good: {
      $0.app.claim("com.apple.developer.usernotifications.filtering", true)
      $0.service?.claim("com.apple.developer.usernotifications.filtering", true)
    },
  ]

  private static let communicationEntitlement =
    "com.apple.developer.usernotifications.communication"

  static let communication: [RuleCase] = [
    RuleCase("communication-activity-types") {
      $0.app.claim(communicationEntitlement, true)
      $0.app.info["NSUserActivityTypes"] = ["com.example.app.view"]
    } good: {
      $0.app.claim(communicationEntitlement, true)
      $0.app.info["NSUserActivityTypes"] = ["com.example.app.view", "INStartCallIntent"]
    },
    RuleCase("communication-activity-types") { $0.app.claim(communicationEntitlement, true) },
    RuleCase("communication-place") {
      $0.service?.claim(communicationEntitlement, true)
      $0.app.info["NSUserActivityTypes"] = ["INSendMessageIntent"]
    } good: {
      $0.service?.claim(communicationEntitlement, true)
      $0.app.claim(communicationEntitlement, true)
      $0.app.info["NSUserActivityTypes"] = ["INSendMessageIntent"]
    },
    RuleCase("communication-capability") {
      $0.app.info["NSUserActivityTypes"] = ["INSendMessageIntent"]
    } good: {
      $0.app.info["NSUserActivityTypes"] = ["INSendMessageIntent"]
      $0.app.claim(communicationEntitlement, true)
    },
  ]
}
