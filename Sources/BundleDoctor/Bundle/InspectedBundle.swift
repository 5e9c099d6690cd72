package import Foundation

/// An app or an extension, read once, with all that rules need of it.
package struct InspectedBundle: Sendable {
  /// The path inside the input: `PlugIns/NotificationService.appex`.
  package let path: String
  package let files: Set<String>
  /// The Info.plist, or why it cannot be read.
  package let infoPlist: Result<[String: PropertyList], MachOError>
  package let infoPlistBytes: Data
  /// The executable, or why it cannot be read.
  package let executable: Result<MachO, MachOError>
  /// The files that are searched for class names: the executable, and the libraries that hold the
  /// code in Xcode's debug builds.
  let code: [Data]
  /// `nil` where there is no profile.
  package let profile: Result<ProvisioningProfile, MachOError>?

  /// Reads the bundle; `codeLeft` is the part of ``BundleLimits/codeBytes`` that earlier bundles
  /// left, from which the code of this one is subtracted.
  init(
    path: String, _ tree: BundleTree, _ limits: BundleLimits, codeLeft: inout Int
  ) throws(BundleError) {
    self.path = path
    files = tree.files
    let info = try tree.read("Info.plist", atMost: limits.infoPlistBytes)
    infoPlistBytes = info ?? Data()
    infoPlist = Result { () throws(MachOError) in
      guard let info else { throw MachOError("there is no Info.plist") }
      return try PropertyList.dictionary(of: info, name: "the Info.plist")
    }
    let name = (try? infoPlist.get())?["CFBundleExecutable"]?.string
    // A name with a slash would name a file outside of the bundle's own folder.
    let data =
      try name.flatMap { $0.contains("/") ? nil : $0 }.map { name throws(BundleError) in
        try tree.read(name, atMost: codeLeft)
      } ?? nil
    codeLeft -= data?.count ?? 0
    executable = Result { () throws(MachOError) in
      guard let name else { throw MachOError("the Info.plist has no CFBundleExecutable") }
      guard let data else { throw MachOError("there is no file \"\(name)\"") }
      do {
        return try MachO(data)
      } catch { throw MachOError("\"\(name)\" cannot be read: \(error)") }
    }
    var code = data.map { [$0] } ?? []
    for file in tree.files.sorted() where file.hasSuffix(".dylib") && !file.contains("/") {
      guard let data = try tree.read(file, atMost: codeLeft) else { continue }
      codeLeft -= data.count
      code.append(data)
    }
    self.code = code
    profile = try tree.read("embedded.mobileprovision", atMost: limits.profileBytes).map { data in
      Result { () throws(MachOError) in try ProvisioningProfile(data) }
    }
  }

  package var info: [String: PropertyList] { (try? infoPlist.get()) ?? [:] }
  package var bundleID: String? { info["CFBundleIdentifier"]?.string }
  package var slices: [MachO.Slice] { (try? executable.get())?.slices ?? [] }
  package var grantedBy: ProvisioningProfile? { try? profile?.get() }
  package var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The signature by a team; `nil` for a simulator's build and for the ad-hoc signature of a
  /// linker.
  package var signature: CodeSignature? {
    guard !isForSimulator, let signature = slices.compactMap(\.signature).first,
      !signature.isAdHoc
    else { return nil }
    return signature
  }
  package var isForSimulator: Bool { slices.contains { $0.platform?.isSimulator == true } }

  /// The higher of the minimum versions in the Info.plist and the executable.
  package var minimumSystem: Version? {
    let declared = info["MinimumOSVersion"]?.string.flatMap { Version($0) }
    return ([declared] + slices.map(\.minimumSystem)).compactMap(\.self).max()
  }

  func entitlement(_ key: String) -> PropertyList? { signature?.entitlements[key] }
  var appGroups: [String] {
    entitlement("com.apple.security.application-groups")?.strings ?? []
  }

  /// The dictionary `NSExtension` of an extension.
  var extensionKeys: [String: PropertyList] { info["NSExtension"]?.dictionary ?? [:] }
  var point: String? { extensionKeys["NSExtensionPointIdentifier"]?.string }
  var principalClass: String? { extensionKeys["NSExtensionPrincipalClass"]?.string }

  /// Whether one of the code files contains these bytes.
  func holds(_ text: String) -> Bool {
    let needle = Data(text.utf8)
    return code.contains { $0.range(of: needle) != nil }
  }
}
