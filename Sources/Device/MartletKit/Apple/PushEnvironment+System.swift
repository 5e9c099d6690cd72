import Foundation

extension PushEnvironment {
  /// The phone's own files, clock and random numbers.
  static func system(_ settings: PushSettings, transport: any PushTransport) -> PushEnvironment {
    PushEnvironment(
      storage: FolderStorage(PushSettings.files(in: settings.folder)), transport: transport,
      now: { Milliseconds(Date()).count },
      sleep: { try await Task.sleep(for: .milliseconds($0)) },
      randomBytes: { count in
        // The system's generator is a cryptographic one.
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      },
      system: systemValues, gateway: { .ofThisBuild },
      role: Bundle.main.bundleIdentifier ?? "app")
  }

  /// The facts about the phone and the app that the server is told.
  @Sendable private static func systemValues() -> [String: String] {
    let system = ProcessInfo.processInfo.operatingSystemVersion
    var values = [
      MemberKey.locale: Locale.preferredLanguages.first ?? Locale.current.identifier,
      MemberKey.timeZone: TimeZone.current.identifier,
      MemberKey.osVersion:
        "\(system.majorVersion).\(system.minorVersion).\(system.patchVersion)",
      MemberKey.sdkVersion: "MartletKit 0.1",
    ]
    values[MemberKey.appVersion] =
      Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String
    return values
  }
}

extension PushGateway {
  /// The gateway of this build: that of the profile in its bundle, and in the Simulator the development one.
  static var ofThisBuild: PushGateway {
    #if targetEnvironment(simulator)
      return .development
    #else
      return PushGateway(profile: profile)
    #endif
  }

  private static var profile: Data? {
    #if os(macOS) || targetEnvironment(macCatalyst)
      let profile = Bundle.main.bundleURL.appending(
        path: "Contents/embedded.provisionprofile", directoryHint: .notDirectory)
      return try? Data(contentsOf: profile)
    #else
      let profile = Bundle.main.url(forResource: "embedded", withExtension: "mobileprovision")
      return profile.flatMap { try? Data(contentsOf: $0) }
    #endif
  }
}
