package import Foundation
import PushCrypto
import _OpenSSLCrypto

/// A provisioning profile, `embedded.mobileprovision`: the entitlements that Apple grants to a
/// bundle, and when they expire.
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
      throw MachOError("it is not a provisioning profile: \(error.message)")
    }
    let values = try PropertyList.dictionary(of: Data(message.content), name: "its content")
    name = values["Name"]?.string ?? ""
    teamIDs = values["TeamIdentifier"]?.strings ?? []
    expires = values["ExpirationDate"]?.date
    guard let claims = values["Entitlements"]?.dictionary else {
      throw MachOError("it has no Entitlements, so it is not a provisioning profile")
    }
    entitlements = claims
  }

  /// Whether it is for testers or the App Store, so that apps signed with it cannot be debugged.
  package var isForDistribution: Bool { entitlements["get-task-allow"]?.bool != true }

  /// The bundle id for which it is valid, without the team; a `*` at the end stands for any text.
  package var bundleID: String? {
    guard let id = entitlements["application-identifier"]?.string,
      let dot = id.firstIndex(of: ".")
    else { return nil }
    return String(id[id.index(after: dot)...])
  }

  /// Whether a profile's value grants the value that a signature claims.
  package static func covers(_ granted: PropertyList?, _ claimed: PropertyList) -> Bool {
    switch (granted, claimed) {
    case (nil, _): return claimed == .bool(false)
    case (.string(let pattern), .string(let text)):
      return pattern.hasSuffix("*") ? text.hasPrefix(pattern.dropLast()) : text == pattern
    case (.array(let patterns), .array(let values)):
      return values.allSatisfy { value in patterns.contains { covers($0, value) } }
    // A wildcard grants each element of a list, and one element of a list can grant a text.
    case (.string, .array(let values)): return values.allSatisfy { covers(granted, $0) }
    case (.array(let patterns), .string): return patterns.contains { covers($0, claimed) }
    case (.bool(let isGranted), .bool(let isClaimed)): return isGranted || !isClaimed
    default: return granted == claimed
    }
  }
}
