package import Foundation

/// An app or an extension, read once, with everything that rules need.
package struct InspectedBundle: Sendable {
  /// The path inside the input, such as `PlugIns/NotificationService.appex`.
  package let path: String
  /// The paths of its files, relative to the folder of its Info.plist, which is `Contents` on a Mac.
  package let files: Set<String>
  /// Whether it has the folder `Contents` of a Mac bundle.
  package let hasContents: Bool
  /// The Info.plist, or the error of reading it.
  package let infoPlist: Result<[String: PropertyList], MachOError>
  package let infoPlistBytes: Data
  /// The executable, or the error of reading it.
  package let executable: Result<MachO, MachOError>
  /// The files that are searched for class names: the executable, and the libraries that contain the
  /// code in Xcode's debug builds.
  let code: [Data]
  /// The provisioning profile; `nil` if the bundle has none.
  package let profile: Result<ProvisioningProfile, MachOError>?

  /// Reads the bundle.
  ///
  /// `codeLeft` is the rest of ``BundleLimits/codeBytes`` after earlier bundles, from which this
  /// bundle's code is subtracted.
  init(
    path: String, _ tree: BundleTree, _ limits: BundleLimits, codeLeft: inout Int
  ) throws(BundleError) {
    self.path = path
    hasContents = tree.hasContents
    let tree = tree.content
    files = Set(tree.files)
    let info = try tree.read("Info.plist", atMost: limits.infoPlistBytes)
    infoPlistBytes = info ?? Data()
    infoPlist = Result { () throws(MachOError) in
      guard let info else { throw MachOError("there is no Info.plist") }
      return try PropertyList.dictionary(of: info, name: "the Info.plist")
    }
    let name = (try? infoPlist.get())?["CFBundleExecutable"]?.string
    // A name with a slash would be a file outside of the bundle's own folder.
    let folder = hasContents ? "MacOS/" : ""
    let data =
      try name.flatMap { $0.contains("/") ? nil : $0 }.map { name throws(BundleError) in
        try tree.read(folder + name, atMost: codeLeft)
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
    let dylibs = tree.files.filter {
      $0.hasSuffix(".dylib") && $0.hasPrefix(folder) && !$0.dropFirst(folder.count).contains("/")
    }
    for file in dylibs.sorted() {
      guard let data = try tree.read(file, atMost: codeLeft) else { continue }
      codeLeft -= data.count
      code.append(data)
    }
    self.code = code
    let profileName = hasContents ? "embedded.provisionprofile" : "embedded.mobileprovision"
    profile = try tree.read(profileName, atMost: limits.profileBytes).map { data in
      Result { () throws(MachOError) in try ProvisioningProfile(data) }
    }
  }

  package var info: [String: PropertyList] { (try? infoPlist.get()) ?? [:] }
  package var bundleID: String? { info["CFBundleIdentifier"]?.string }
  package var slices: [MachO.Slice] { (try? executable.get())?.slices ?? [] }
  package var grantedBy: ProvisioningProfile? { try? profile?.get() }
  package var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The signature of a team; `nil` if it is a simulator's build or a linker's ad-hoc signature.
  package var signature: CodeSignature? {
    guard !isForSimulator, let signature = slices.compactMap(\.signature).first,
      !signature.isAdHoc
    else { return nil }
    return signature
  }
  package var isForSimulator: Bool { slices.contains { $0.platform?.isSimulator == true } }

  /// The system for which it was built, according to the executable, or else the Info.plist.
  package var system: AppleSystem {
    if info["ITSWatchOnlyContainer"]?.bool == true { return .watchOS }
    let built = slices.lazy.compactMap(\.platform).compactMap { AppleSystem($0) }.first
    return built ?? AppleSystem(info: info) ?? (hasContents ? .macOS : .iOS)
  }

  /// The minimum version of the system: that of a Mac's Info.plist, or else the higher one of
  /// Info.plist and executable.
  ///
  /// The executable of a Catalyst app has a version of iOS, but its Info.plist has one of macOS.
  package var minimumSystem: Version? {
    if system.isMac, let declared = info["LSMinimumSystemVersion"]?.string.flatMap({ Version($0) })
    {
      return declared
    }
    let declared = info["MinimumOSVersion"]?.string.flatMap { Version($0) }
    return ([declared] + slices.map(\.minimumSystem)).compactMap(\.self).max()
  }

  func entitlement(_ key: String) -> PropertyList? { signature?.entitlements[key] }
  var appGroups: [String] {
    entitlement("com.apple.security.application-groups")?.strings ?? []
  }

  /// The dictionary `NSExtension` of the Info.plist.
  var extensionKeys: [String: PropertyList] { info["NSExtension"]?.dictionary ?? [:] }
  var point: String? { extensionKeys["NSExtensionPointIdentifier"]?.string }
  var principalClass: String? { extensionKeys["NSExtensionPrincipalClass"]?.string }

  /// The extension point of an ExtensionKit extension, which has no `NSExtension`.
  var extensionKitPoint: String? {
    info["EXAppExtensionAttributes"]?["EXExtensionPointIdentifier"]?.string
  }

  /// Whether its Info.plist can be read and is not an ExtensionKit extension's.
  var belongsInPlugIns: Bool {
    guard case .success = infoPlist else { return false }
    return extensionKitPoint == nil
  }

  /// Whether one of the code files contains a text.
  func holds(_ text: String) -> Bool {
    let needle = Data(text.utf8)
    return code.contains { $0.range(of: needle) != nil }
  }
}

extension BundleTree {
  /// Whether the tree is a bundle for the Mac, which has everything except links in `Contents`.
  var hasContents: Bool {
    !files.contains("Info.plist") && files.contains { $0.utf8.starts(with: "Contents/".utf8) }
  }

  /// The files in the folder of the Info.plist.
  var content: BundleTree { hasContents ? below("Contents") : self }
}
