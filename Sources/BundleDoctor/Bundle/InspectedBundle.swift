package import Foundation

/// An app or an extension, read once: everything that rules ask of it.
package struct InspectedBundle: Sendable {
  /// From the top of what was given: `PlugIns/NotificationService.appex`.
  package let path: String
  package let files: Set<String>
  /// Its Info.plist, or why there is none.
  package let infoPlist: Result<[String: PropertyList], MachOError>
  package let infoPlistBytes: Data
  /// Its executable, or why there is none.
  package let executable: Result<MachO, MachOError>
  /// What its code is searched in for names: the executable, and the libraries Xcode's debug builds
  /// put the code in.
  let code: [Data]
  /// `nil` where there is no profile.
  package let profile: Result<ProvisioningProfile, MachOError>?

  /// `codeLeft` is what bundles before it left of ``BundleLimits/codeBytes``.
  init(
    path: String, _ tree: BundleTree, _ limits: BundleLimits, codeLeft: inout Int
  ) throws(BundleError) {
    self.path = path
    files = tree.files
    let info = try tree.read("Info.plist", atMost: limits.infoPlistBytes)
    infoPlistBytes = info ?? Data()
    infoPlist = Result { () throws(MachOError) in
      guard let info else { throw MachOError("there is no Info.plist") }
      return try PropertyList.dictionary(of: info, "the Info.plist")
    }
    let name = (try? infoPlist.get())?["CFBundleExecutable"]?.string
    // A name with a folder in it is none: it could only lead elsewhere.
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

  /// What somebody signed; not what a simulator's build or a linker put there.
  package var signature: CodeSignature? {
    guard !isForSimulator, let signature = slices.compactMap(\.signature).first,
      !signature.isAdHoc
    else { return nil }
    return signature
  }
  package var isForSimulator: Bool { slices.contains { $0.platform?.isSimulator == true } }

  /// The higher of what the Info.plist and the executable ask for.
  package var minimumSystem: Version? {
    let declared = info["MinimumOSVersion"]?.string.flatMap { Version($0) }
    return ([declared] + slices.map(\.minimumSystem)).compactMap(\.self).max()
  }

  func entitlement(_ key: String) -> PropertyList? { signature?.entitlements[key] }
  var appGroups: [String] {
    entitlement("com.apple.security.application-groups")?.strings ?? []
  }

  /// `NSExtension` of an extension.
  var extensionKeys: [String: PropertyList] { info["NSExtension"]?.dictionary ?? [:] }
  var point: String? { extensionKeys["NSExtensionPointIdentifier"]?.string }
  var principalClass: String? { extensionKeys["NSExtensionPrincipalClass"]?.string }

  /// Whether some code of it holds these bytes.
  func holds(_ text: String) -> Bool {
    let needle = Data(text.utf8)
    return code.contains { $0.range(of: needle) != nil }
  }
}
