import Foundation

/// Rules about provisioning profiles.
extension DoctorRule {
  static let profiles = [
    unreadableProfile, noProfile, expired, profileBundleID, notGranted, debuggable,
  ]

  private static let unreadableProfile = DoctorRule(
    "profile", .error, summary: "A provisioning profile cannot be read",
    why: "The installer cannot read it either.",
    fix: "Download the profile again, and archive again."
  ) { inspection in
    inspection.subjects.compactMap { bundle in
      guard case .failure(let error)? = bundle.profile else { return nil }
      return Fault(bundle, "embedded.mobileprovision: \(error)")
    }
  }

  private static let noProfile = DoctorRule(
    "profile-missing", .warning, summary: "A signed bundle has no provisioning profile",
    why: "An extension needs its own; without one only copies from the App Store install.",
    fix: "Make a profile for the extension's bundle id, and name it in the export options too.",
    needs: [.signature, .device]
  ) { inspection in
    inspection.subjects.filter { bundle in
      bundle.signature != nil && bundle.profile == nil
        && !bundle.slices.contains(where: \.isEncrypted)
    }.map { Fault($0, "it has no embedded.mobileprovision") }
  }

  private static let expired = DoctorRule(
    "profile-expired", .error, summary: "A provisioning profile has expired",
    why: "Apps signed with it no longer install; outside the App Store they no longer start.",
    fix: "Renew the profile and archive again."
  ) { inspection in
    inspection.subjects.compactMap { bundle in
      guard let end = bundle.grantedBy?.expires, end <= inspection.now else { return nil }
      return Fault(bundle, "it expired on \(end.formatted(.iso8601.year().month().day()))")
    }
  }

  private static let profileBundleID = DoctorRule(
    "profile-bundle-id", .error, summary: "A provisioning profile is for another bundle id",
    why: "The installer refuses the bundle.",
    fix: "Choose the profile of the target's bundle id; the extension's differs from the app's."
  ) { inspection in
    inspection.subjects.compactMap { bundle in
      guard let granted = bundle.grantedBy?.bundleID, let id = bundle.bundleID,
        !ProvisioningProfile.covers(.string(granted), .string(id))
      else { return nil }
      return Fault(bundle, "it is for \"\(granted)\", the bundle is \"\(id)\"")
    }
  }

  /// Entitlements that have their own rules with more precise messages.
  private static let checkedElsewhere: Set = [
    "aps-environment", "com.apple.developer.aps-environment", "get-task-allow",
    "application-identifier",
  ]

  private static let notGranted = DoctorRule(
    "entitlement-not-granted", .error,
    summary: "A signature claims an entitlement that its profile does not grant",
    why: "The installer refuses the bundle.",
    fix: "Enable the capability for the bundle's App ID, make its profile again, archive again.",
    needs: [.signature]
  ) { inspection in
    inspection.subjects.flatMap { bundle in
      guard let profile = bundle.grantedBy, let signature = bundle.signature else {
        return [Fault]()
      }
      return signature.entitlements.sorted { $0.key < $1.key }.compactMap { key, claimed in
        // On the Mac, other entitlements, such as those of the sandbox, need no profile.
        guard !checkedElsewhere.contains(key),
          !inspection.system.isMac || key.hasPrefix("com.apple.developer."),
          !ProvisioningProfile.covers(profile.entitlements[key], claimed)
        else { return nil }
        return Fault(bundle, "the profile \"\(profile.name)\" does not grant its \(key)")
      }
    }
  }

  private static let debuggable = DoctorRule(
    "get-task-allow", .error, summary: "A build for distribution can be debugged",
    why: "get-task-allow is for development; the App Store and the installer refuse it.",
    fix: "Sign with the entitlements of the distribution profile: export from the archive.",
    needs: [.signature]
  ) { inspection in
    inspection.subjects.compactMap { bundle in
      guard bundle.entitlement("get-task-allow")?.bool == true,
        bundle.grantedBy?.isForDistribution == true
      else { return nil }
      return Fault(bundle, "get-task-allow is true, but the profile is for distribution")
    }
  }
}
