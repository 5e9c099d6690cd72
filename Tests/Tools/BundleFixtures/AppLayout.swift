package import BundleDoctor
package import Foundation

/// A bundle to be written, with the files that Xcode puts into one.
package struct BundleLayout: Sendable {
  package var info: [String: PropertyList]
  package var infoFormat = PropertyListSerialization.PropertyListFormat.binary
  package var code: MachOLayout?
  package var profile: ProfileLayout?
  package var profileBytes: [UInt8]?
  /// Whether the files are laid out as on a Mac, below `Contents`.
  package var hasContents = false
  package var files: [String: Data] = [:]
  /// Keys that are added to the Info.plist after signing.
  package var lateInfo: [String: PropertyList] = [:]

  package init(info: [String: PropertyList], code: MachOLayout?, profile: ProfileLayout?) {
    self.info = info
    self.code = code
    self.profile = profile
  }

  /// Makes a bundle with a matching signature and profile.
  package init(
    _ info: [String: PropertyList], entitlements: [String: PropertyList], classNames: [String] = []
  ) {
    let id = info["CFBundleIdentifier"]?.string ?? ""
    var claims = entitlements
    claims["application-identifier"] = .string("TEAM123456." + id)
    claims["com.apple.developer.team-identifier"] = "TEAM123456"
    var granted = claims
    granted["keychain-access-groups"] = ["TEAM123456.*"]
    granted["get-task-allow"] = false
    claims["get-task-allow"] = false
    var code = MachOLayout()
    code.classNames = classNames
    code.signature = SignatureLayout(identifier: id, entitlements: claims)
    self.init(info: info, code: code, profile: ProfileLayout(entitlements: granted))
  }

  package var bundleID: String? { info["CFBundleIdentifier"]?.string }

  /// Changes an entitlement in the signature and, where the profile grants it, in the profile.
  package mutating func claim(_ key: String, _ value: PropertyList?, isGranted: Bool = true) {
    code?.signature?.entitlements[key] = value
    if isGranted { profile?.entitlements[key] = value }
  }

  /// Changes a key of `NSExtension`.
  package mutating func set(extensionKey key: String, _ value: PropertyList?) {
    var keys = info["NSExtension"]?.dictionary ?? [:]
    keys[key] = value
    info["NSExtension"] = .dictionary(keys)
  }

  package func contents() throws -> [String: Data] {
    var contents = files
    let signed = try PropertyList.dictionary(info).written(as: infoFormat)
    let late = info.merging(lateInfo) { $1 }
    contents["Info.plist"] =
      lateInfo.isEmpty ? signed : try PropertyList.dictionary(late).written(as: infoFormat)
    if let code, let name = info["CFBundleExecutable"]?.string {
      contents[(hasContents ? "MacOS/" : "") + name] = Data(try code.bytes(infoPlist: signed))
    }
    let profile = try profileBytes ?? profile?.bytes()
    let ending = hasContents ? "provisionprofile" : "mobileprovision"
    contents["embedded." + ending] = profile.map { Data($0) }
    guard hasContents else { return contents }
    return Dictionary(uniqueKeysWithValues: contents.map { ("Contents/" + $0, $1) })
  }
}

/// An app with its extensions, in any of the four containers.
package struct AppLayout: Sendable {
  package var container = Inspection.Kind.app
  package var app: BundleLayout
  package var extensions: [String: BundleLayout]
  /// Files beside the app, by their paths in the container.
  package var files: [String: Data] = [:]

  package static let service = "PlugIns/NotificationService.appex"

  package init(app: BundleLayout, service: BundleLayout) {
    self.app = app
    extensions = [Self.service: service]
  }

  /// An app without a fault.
  package static let good = AppLayout(
    app: BundleLayout(
      [
        "CFBundleIdentifier": "com.example.app", "CFBundleExecutable": "Example",
        "CFBundlePackageType": "APPL", "CFBundleShortVersionString": "1.0", "CFBundleVersion": "7",
        "MinimumOSVersion": "16.0", "UIBackgroundModes": ["remote-notification"],
      ],
      entitlements: [
        "aps-environment": "production",
        "com.apple.security.application-groups": ["group.com.example.app"],
      ]),
    service: BundleLayout(
      [
        "CFBundleIdentifier": "com.example.app.NotificationService",
        "CFBundleExecutable": "NotificationService", "CFBundlePackageType": "XPC!",
        "CFBundleShortVersionString": "1.0", "CFBundleVersion": "7", "MinimumOSVersion": "16.0",
        "NSExtension": [
          "NSExtensionPointIdentifier": "com.apple.usernotifications.service",
          "NSExtensionPrincipalClass": "NotificationService.NotificationService",
        ],
      ],
      entitlements: ["com.apple.security.application-groups": ["group.com.example.app"]],
      classNames: ["_TtC19NotificationService19NotificationService"]))

  /// The same app for the Mac, as Xcode lays it out.
  package static func mac(catalyst isCatalyst: Bool) -> AppLayout {
    var layout = good
    func change(_ bundle: inout BundleLayout) {
      bundle.hasContents = true
      bundle.info["MinimumOSVersion"] = nil
      bundle.info["LSMinimumSystemVersion"] = "13.0"
      bundle.info["CFBundleSupportedPlatforms"] = ["MacOSX"]
      bundle.info["UIDeviceFamily"] = isCatalyst ? [2, 6] : nil
      bundle.code?.platform = isCatalyst ? 6 : 1
      bundle.code?.architectures = ["x86_64"]
      bundle.code?.searchPaths = ["@executable_path/../../../../Frameworks"]
      let push = bundle.code?.signature?.entitlements["aps-environment"]
      bundle.claim("aps-environment", nil)
      bundle.claim("com.apple.developer.aps-environment", push)
      bundle.claim("com.apple.security.app-sandbox", true, isGranted: false)
    }
    change(&layout.app)
    layout.app.info["UIBackgroundModes"] = nil
    if var service = layout.service {
      change(&service)
      service.profile = nil
      layout.service = service
    }
    return layout
  }

  /// The service extension.
  package var service: BundleLayout? {
    get { extensions[Self.service] }
    set { extensions[Self.service] = newValue }
  }

  /// Every file by its path in the container; for an .appex those of the extension only.
  package func contents() throws -> [String: Data] {
    var contents = files
    guard container != .appex else { return try service?.contents() ?? [:] }
    let root =
      switch container {
      case .ipa: "Payload/Example.app/"
      case .xcarchive: "Products/Applications/Example.app/"
      case .app, .appex: ""
      }
    for (path, bytes) in try app.contents() { contents[root + path] = bytes }
    for (folder, bundle) in extensions {
      let place = root + (app.hasContents ? "Contents/" : "") + folder + "/"
      for (path, bytes) in try bundle.contents() { contents[place + path] = bytes }
    }
    return contents
  }

  /// Writes the app and returns its path.
  package func write(in folder: URL) throws -> String {
    let url = folder.appending(path: "Example." + container.rawValue)
    let contents = try contents().sorted { $0.key < $1.key }
    if container == .ipa {
      try ZipLayout.write(contents.map { ($0.key, $0.value) }, to: url)
    } else {
      for (path, bytes) in contents {
        let file = url.appending(path: path)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try bytes.write(to: file)
      }
    }
    return url.path
  }
}
