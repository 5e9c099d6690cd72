/// An Apple system for which a bundle was built.
package enum AppleSystem: String, Sendable, CaseIterable {
  case iOS, visionOS, macOS, watchOS, tvOS
  case macCatalyst = "Mac Catalyst"

  package var isMac: Bool { self == .macOS || self == .macCatalyst }

  /// The system of an executable's build version; `nil` if the platform has no apps, such as DriverKit.
  init?(_ platform: MachO.Platform) {
    switch platform {
    case .macOS: self = .macOS
    case .catalyst: self = .macCatalyst
    case .iOS, .iOSSimulator: self = .iOS
    case .tvOS, .tvSimulator: self = .tvOS
    case .watchOS, .watchSimulator: self = .watchOS
    case .visionOS, .visionSimulator: self = .visionOS
    default: return nil
    }
  }

  /// The system in the Info.plist keys that Xcode adds to each bundle; `nil` if they are missing.
  init?(info: [String: PropertyList]) {
    // Such an iPhone app is an empty container for the watch app in it.
    if info["ITSWatchOnlyContainer"]?.bool == true {
      self = .watchOS
      return
    }
    let platform =
      info["CFBundleSupportedPlatforms"]?.strings?.first ?? info["DTPlatformName"]?.string
    switch platform?.lowercased() {
    case "iphoneos", "iphonesimulator": self = .iOS
    case "appletvos", "appletvsimulator": self = .tvOS
    case "watchos", "watchsimulator": self = .watchOS
    case "xros", "xrsimulator": self = .visionOS
    // A Catalyst app keeps the device families of its iPad app.
    case "macosx": self = info["UIDeviceFamily"] == nil ? .macOS : .macCatalyst
    default:
      guard info["LSMinimumSystemVersion"] != nil, info["MinimumOSVersion"] == nil else {
        return nil
      }
      self = .macOS
    }
  }

  /// The reason why a bundle for this system is not examined; `nil` if it is examined.
  ///
  /// Source: Apple's reference of `UNNotificationServiceExtension`, which lists its systems.
  var refusal: String? {
    switch self {
    case .iOS, .visionOS, .macOS, .macCatalyst: nil
    case .tvOS:
      "tvOS has no notification service extension, so there is nothing to examine"
    case .watchOS:
      "the rules are those of apps for iPhone, iPad, Apple Vision and Mac; name the iPhone app "
        + "instead, if the watch app has one"
    }
  }
}
