import _OpenSSLCrypto

/// Rules about code signatures.
extension DoctorRule {
  static let signatures = [
    unsigned, halfSigned, changedAfterSigning, signedIdentifier, withoutDER, teams,
  ]

  private static let unsigned = DoctorRule(
    "unsigned", .note, summary: "The bundle is not signed",
    why: "Teams, app groups, entitlements and profiles need a signature, and were not checked.",
    fix: "Check a signed build: the archive, or the .ipa that was exported from it."
  ) { inspection in
    guard inspection.subjects.allSatisfy({ $0.signature == nil }) else { return [] }
    return inspection.subjects.filter { !$0.isForSimulator && !$0.slices.isEmpty }.prefix(1)
      .map { Fault($0, "it has no signature by a team") }
  }

  private static let halfSigned = DoctorRule(
    "signature-missing", .error, summary: "One of app and extension is signed and the other is not",
    why: "The installer refuses the app.",
    fix: "Sign the extension first, then the app, as Xcode does when it archives.",
    needs: [.signature]
  ) { inspection in
    inspection.subjects.filter { $0.signature == nil && !$0.slices.isEmpty }.map {
      Fault($0, "it has no signature by a team")
    }
  }

  private static let changedAfterSigning = DoctorRule(
    "changed-after-signing", .error, summary: "The Info.plist was changed after it was signed",
    why: "The signature has its hash: the installer refuses the app.",
    fix: "Run scripts that set versions or keys before code signing, or sign again."
  ) { inspection in
    inspection.subjects.compactMap { bundle in
      guard let signed = bundle.signature?.infoPlistHash,
        OpenSSLCrypto.sha256(Array(bundle.infoPlistBytes)) != signed
      else { return nil }
      return Fault(bundle, "its hash differs from the one in the signature")
    }
  }

  private static let signedIdentifier = DoctorRule(
    "signature-bundle-id", .error, summary: "The signature is for another bundle id",
    why: "The installer compares the two and refuses the app.",
    fix: "Sign again, with the profile of this bundle id.", needs: [.signature]
  ) { inspection in
    inspection.subjects.compactMap { bundle in
      guard let id = bundle.bundleID, let signature = bundle.signature else { return nil }
      if let signed = signature.identifier, signed != id {
        return Fault(bundle, "it was signed as \"\(signed)\", but is \"\(id)\"")
      }
      let claimed = signature.entitlements["application-identifier"]?.string
      guard let claimed, claimed.split(separator: ".", maxSplits: 1).last.map(String.init) != id
      else { return nil }
      return Fault(bundle, "it claims to be \"\(claimed)\", but is \"\(id)\"")
    }
  }

  private static let withoutDER = DoctorRule(
    "entitlements-der", .error, summary: "The signature has entitlements in the old form only",
    why: "iOS 15 and later start only apps that have them in DER too.",
    fix:
      "Sign with the codesign of Xcode 13 or later, with --generate-entitlement-der where asked.",
    needs: [.signature, .device]
  ) { inspection in
    inspection.subjects.compactMap { bundle in
      guard let signature = bundle.signature, signature.hasXMLEntitlements,
        !signature.hasDEREntitlements
      else { return nil }
      return Fault(bundle, "its entitlements are in XML only")
    }
  }

  private static let teams = DoctorRule(
    "team-mismatch", .error, summary: "App, extension and profiles are of different teams",
    why: "The installer refuses the app, and app groups belong to a team.",
    fix: "Set DEVELOPMENT_TEAM for the project, not for a target.", needs: [.signature]
  ) { inspection in
    let app = inspection.app?.signature?.teamID
    return inspection.subjects.flatMap { bundle in
      var faults: [Fault] = []
      guard let team = bundle.signature?.teamID else { return faults }
      if let app, team != app {
        faults.append(Fault(bundle, "it is of \(team), the app of \(app)"))
      }
      if let profile = bundle.grantedBy, !profile.teamIDs.contains(team) {
        let teams = profile.teamIDs.joined(separator: ", ")
        faults.append(Fault(bundle, "it is of \(team), its profile of \(teams)"))
      }
      return faults
    }
  }
}
