package import Foundation
import PushCrypto
import _OpenSSLCrypto

/// An `embedded.mobileprovision`: what Apple lets a signed bundle claim, and until when.
package struct ProvisioningProfile: Sendable {
  package var name: String
  package var teamIDs: [String]
  package var expires: Date?
  package var entitlements: [String: PropertyList]

  init(_ data: Data) throws(MachOError) {
    let message: SignedMessage
    do {
      message = try SignedMessage(der: Array(data))
    } catch {
      throw MachOError("it is no provisioning profile: \(error.message)")
    }
    let values = try PropertyList.dictionary(of: Data(message.content), "what it signs")
    name = values["Name"]?.string ?? ""
    teamIDs = values["TeamIdentifier"]?.strings ?? []
    expires = values["ExpirationDate"]?.date
    guard let claims = values["Entitlements"]?.dictionary else {
      throw MachOError("it has no Entitlements, so it is no provisioning profile")
    }
    entitlements = claims
  }

  /// Whether it is for testers or the store: nothing signed with it can be debugged.
  package var isForDistribution: Bool { entitlements["get-task-allow"]?.bool != true }

  /// The bundle id it is for, without the team; `*` stands for any, or ends one.
  package var bundleID: String? {
    guard let id = entitlements["application-identifier"]?.string,
      let dot = id.firstIndex(of: ".")
    else { return nil }
    return String(id[id.index(after: dot)...])
  }

  /// Whether what a signature claims is among what the profile grants.
  package static func covers(_ granted: PropertyList?, _ claimed: PropertyList) -> Bool {
    switch (granted, claimed) {
    case (nil, _): return claimed == .bool(false)
    case (.string(let pattern), .string(let text)):
      return pattern.hasSuffix("*") ? text.hasPrefix(pattern.dropLast()) : text == pattern
    case (.array(let patterns), .array(let values)):
      return values.allSatisfy { value in patterns.contains { covers($0, value) } }
    // A wildcard grants a list too, and one granted is enough for one claimed.
    case (.string, .array(let values)): return values.allSatisfy { covers(granted, $0) }
    case (.array(let patterns), .string): return patterns.contains { covers($0, claimed) }
    case (.bool(let isGranted), .bool(let isClaimed)): return isGranted || !isClaimed
    default: return granted == claimed
    }
  }
}
