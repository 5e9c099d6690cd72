// swift-tools-version: 6.1
import PackageDescription

let applePlatforms: [Platform] = [.iOS, .macOS, .watchOS, .visionOS, .macCatalyst]

// The products with the names of Apple's modules.
let appleProducts = [
  "UniformTypeIdentifiers", "MobileCoreServices", "os", "CryptoKit", "CommonCrypto", "Security",
  "Intents", "UIKit", "CoreGraphics", "ImageIO", "AVFoundation", "AudioToolbox", "CallKit",
  "Combine", "CoreData", "Network", "SQLite3", "SwiftUI", "SystemConfiguration", "WidgetKit",
  "UserNotificationsUI",
]

#if os(Linux)
  // Our own, which a build for Apple's systems on Linux does not use.
  let userNotifications: [Target.Dependency] = [
    .target(name: "UserNotifications", condition: .when(platforms: [.linux]))
  ]
  let spawn: [Target.Dependency] = ["_Spawn"]
  let (appleResources, appleFiles): ([Resource], [String]) = ([], ["PrivacyInfo.xcprivacy"])
#else
  let userNotifications: [Target.Dependency] = []  // Apple's
  let spawn: [Target.Dependency] = []
  let (appleResources, appleFiles): ([Resource], [String]) = ([.copy("PrivacyInfo.xcprivacy")], [])
#endif

func room(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(name: name, dependencies: dependencies)
}

func tests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .testTarget(name: name, dependencies: dependencies)
}

/// Code that tests use.
func fixture(
  _ name: String, _ dependencies: Target.Dependency..., mode: SwiftLanguageMode? = nil
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Tests",
    swiftSettings: mode.map { [.swiftLanguageMode($0)] })
}

/// A program that tests run.
func program(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: "Tests")
}

/// Puts the targets of a floor into its folders: a room into `Sources/FLOOR`, and tests with their code into `Tests/FLOOR`.
func floor(_ name: String, _ targets: [Target]) -> [Target] {
  for target in targets where target.path == nil || target.path == "Tests" {
    let isOfTests = target.type == .test || target.path == "Tests"
    target.path = "\(isOfTests ? "Tests" : "Sources")/\(name)/\(target.name)"
  }
  return targets
}

// Device: what an app links. It uses no system library.
// `MediaLoading` has the protocols between the engine and its loaders; see docs/contributing/decisions/0003.
var device: [Target] = [
  room("PushPayload"),
  room("PushCrypto"),
  room("MediaLoading"),
  room("URLSessionMedia", "MediaLoading"),
  room("NotificationTemplates", "PushPayload"),
  .target(
    name: "RichNotifications",
    dependencies: [
      "PushPayload", "PushCrypto", "MediaLoading", "NotificationTemplates",
      .target(name: "URLSessionMedia", condition: .when(platforms: applePlatforms)),
    ] + userNotifications, exclude: appleFiles, resources: appleResources),
  .target(
    name: "RichNotificationContent",
    dependencies: ["NotificationTemplates", "PushPayload", "RichNotifications"] + userNotifications,
    exclude: appleFiles, resources: appleResources),
  .target(
    name: "MartletKit", dependencies: ["PushPayload"] + userNotifications, exclude: appleFiles,
    resources: appleResources),
  tests("PushPayloadTests", "PushPayload", "TestSupport"),
]

// What the tests of every floor use.
let testSupport: Target = .target(
  name: "TestSupport", dependencies: ["PushPayload"] + spawn, path: "Tests/TestSupport")

var products: [Product] = [
  .library(name: "PushPayload", targets: ["PushPayload"]),
  .library(name: "PushCrypto", targets: ["PushCrypto"]),
  .library(name: "RichNotifications", targets: ["RichNotifications", "MediaLoading"]),
  .library(name: "RichNotificationContent", targets: ["RichNotificationContent"]),
  .library(name: "MartletKit", targets: ["MartletKit"]),
  .library(name: "NotificationHostTesting", targets: ["NotificationHostTesting"]),
  .library(name: "APNs", targets: ["APNs"]),
  .library(name: "APNsSandbox", targets: ["APNsSandbox"]),
]

#if os(Linux)
  // The allocator of the programs. glibc's takes a lock where one thread frees what another has allocated, as happens with
  // the parts of each push; see docs/contributing/decisions/0049.
  let allocator = LinkerSetting.linkedLibrary("jemalloc")

  // The tests of the device half that need the other floors, which an iOS project never resolves.
  device += [
    tests("PushCryptoTests", "PushCrypto", "_OpenSSLCrypto", "TestSupport"),
    tests(
      "URLSessionMediaTests", "URLSessionMedia", "MediaLoading", "_Curl", "_HTTPServer", "_TLS",
      "TestSupport"),
    tests("NotificationTemplatesTests", "NotificationTemplates", "PushPayload", "TestSupport"),
    tests(
      "RichNotificationsTests", "RichNotifications", "MediaLoading", "NotificationTemplates",
      "PushPayload", "PushCrypto", "URLSessionMedia", "UserNotifications", "_HTTPServer",
      "_OpenSSLCrypto", "TestSupport"),
    tests(
      "RichNotificationContentTests", "MediaLoading", "NotificationTemplates", "PushPayload",
      "RichNotificationContent", "RichNotifications", "UserNotifications", "TestSupport"),
    tests(
      "MartletKitTests", "MartletKit", "PushPayload", "RichNotifications", "UserNotifications",
      "_HTTPServer", "TestSupport"),
  ]

  // AppleModules: Apple's modules for tests on Linux, by the names that extensions import; see docs/app/modules-on-linux.md.
  let appleModules: [Target] = [
    room("UserNotifications"),
    room("UniformTypeIdentifiers"),
    room("MobileCoreServices", "UniformTypeIdentifiers"),
    .systemLibrary(name: "OSSubmodules"),
    room("os", "OSSubmodules", "UserNotifications"),
    room("OSLog", "os"),
    room("CryptoKit", "PushCrypto", "UserNotifications", "_OpenSSLCrypto"),
    room("CommonCrypto", "UserNotifications", "_OpenSSLCrypto"),
    room("Security", "UserNotifications", "_OpenSSLCrypto"),
    room("_Testing_CoreGraphics"),
    room("CoreGraphics", "UserNotifications", "_Cairo", "_Testing_CoreGraphics"),
    room("_Testing_UIKit"),
    room("UIKit", "CoreGraphics", "UserNotifications", "_GdkPixbuf", "_Testing_UIKit"),
    room("ImageIO", "CoreGraphics", "UIKit", "UserNotifications"),
    room("AVFoundation", "AVFAudio", "AudioToolbox", "CoreGraphics", "UserNotifications"),
    room("AVKit", "AVFoundation"),
    room("Combine"),
    .systemLibrary(name: "SQLite3"),
    room("SwiftUI", "Combine", "UIKit", "UniformTypeIdentifiers"),
    room("UserNotificationsUI", "UIKit", "UserNotifications"),
    // The code of an app, as in an iOS project: the declarations that it uses must exist.
    fixture("AppFixture", "UserNotifications", mode: .v5),
    tests("UserNotificationsTests", "AppFixture", "UserNotifications"),
    tests(
      "UniformTypeIdentifiersTests", "MobileCoreServices", "UniformTypeIdentifiers",
      "UserNotifications"),
    tests("OSTests", "OSLog", "TestSupport", "os"),
    tests("CryptoKitTests", "CryptoKit", "TestSupport", "UserNotifications"),
    tests("CommonCryptoTests", "CommonCrypto", "TestSupport"),
    // An app's code for a key in the keychain, and an extension that decrypts with it.
    fixture("KeychainFixture", "CommonCrypto", "Security", "UserNotifications", mode: .v5),
    program("KeychainExtension", "KeychainFixture", "NotificationHost"),
    tests(
      "SecurityTests", "CommonCrypto", "KeychainExtension", "KeychainFixture", "NotificationHost",
      "NotificationHostTesting", "Security", "TestSupport", "UserNotifications"),
    // Every stub of every module, which must say what it does not do.
    tests(
      "NotModelledTests", "AVFAudio", "AVFoundation", "AudioToolbox", "CallKit", "CommonCrypto",
      "CoreData", "CoreGraphics", "CryptoKit", "ImageIO", "Intents", "Network", "NotificationHost",
      "NotificationHostTesting", "RichNotifications", "Security", "SystemConfiguration",
      "TestSupport", "UIKit", "UserNotifications", "WidgetKit", "os"),
    tests("IntentsTests", "Intents", "UserNotifications"),
    tests("UIKitTests", "TestSupport", "UIKit"),
    tests(
      "DrawingTests", "CGdkPixbuf", "ImageIO", "TestSupport", "UIKit", "UserNotifications",
      "_Cairo"),
    fixture("PhotoVendor", "UserNotifications"),  // The stub of an SDK in docs/app/own-stubs.md.
    // Modules that say what is not there, each used as published extensions use it.
    .testTarget(
      name: "BareModulesTests",
      dependencies: [
        "AVFAudio", "AVFoundation", "AVKit", "AudioToolbox", "CallKit", "Combine", "CoreData",
        "CoreGraphics", "ImageIO", "Intents", "Network", "NotificationHost",
        "NotificationHostTesting", "PhotoVendor", "SQLite3", "SwiftUI", "SystemConfiguration",
        "TestSupport", "UIKit", "UniformTypeIdentifiers", "UserNotifications", "WidgetKit",
      ], swiftSettings: [.swiftLanguageMode(.v5)]),
    tests("UserNotificationsUITests", "UserNotifications", "UserNotificationsUI"),
  ]
  let bareModules = [
    "AVFAudio", "AudioToolbox", "CallKit", "CoreData", "Intents", "Network", "SystemConfiguration",
    "WidgetKit",
  ].map { room($0, "UserNotifications") }

  // Phone: the model of iOS, and what it shows.
  let phone: [Target] = [
    room(
      "NotificationHost", "PushPayload", "MediaLoading", "NotificationTemplates",
      "RichNotificationContent", "RichNotifications", "UserNotifications", "_Spawn"),
    room(
      "NotificationHostTesting", "NotificationHost", "NotificationCards", "PhoneCards",
      "PushPayload", "RichNotifications", "UserNotifications", "_Spawn"),
    room("NotificationCards", "NotificationTemplates", "PushPayload"),
    room(
      "PhoneCards", "NotificationHost", "NotificationCards", "NotificationTemplates",
      "RichNotifications", "PushPayload", "_Spawn"),
    room(
      "NotificationPreview", "PushPayload", "PushCrypto", "MediaLoading", "RichNotifications",
      "NotificationHost", "NotificationCards", "PhoneCards", "UserNotifications", "_OpenSSLCrypto"),
    room("_Card", "NotificationCards", "NotificationTemplates", "CPangoCairo", "CGdkPixbuf"),
    room(
      "CardDrawing", "NotificationCards", "NotificationTemplates", "_Card", "_Confinement", "_Spawn"
    ),
    // The program of packages that draws cards; see docs/contributing/decisions/0038.
    .executableTarget(name: "martlet-card", dependencies: ["CardDrawing"]),
    // An extension that fails in every way a test needs, run in its own process.
    program(
      "FaultyExtension", "AppFixture", "MediaLoading", "NotificationHost", "RichNotifications",
      "UserNotifications"),
    // Extensions as apps have them, in a test's process and in their own.
    fixture("SampleExtensions", "UserNotifications", mode: .v5),
    program("SampleExtensionProcess", "NotificationHost", "SampleExtensions", "UserNotifications"),
    // An extension with a file that imports only Foundation. The flag imports UserNotifications into it; see
    // docs/app/modules-on-linux.md. No product has this target, so packages that depend on this one may have it.
    .target(
      name: "FoundationOnly", dependencies: ["UserNotifications"], path: "Tests",
      swiftSettings: [
        .swiftLanguageMode(.v5),
        .unsafeFlags(["-Xfrontend", "-import-module", "-Xfrontend", "UserNotifications"]),
      ]),
    // A process that is confined as the one that draws cards and makes one system call.
    program("ConfinedCalls", "_Confinement"),
    tests(
      "NotificationHostTests", "APNsConformance", "NotificationHost", "NotificationHostTesting",
      "NotificationTemplates", "RichNotifications", "RichNotificationContent", "MediaLoading",
      "PushCrypto", "PushPayload", "UserNotifications", "AppFixture", "CommonFaults",
      "FaultyExtension", "FoundationOnly", "_Curl", "_HTTPServer", "_OpenSSLCrypto", "_Spawn",
      "_TLS", "TestSupport"),
    tests(
      "SampleExtensionTests", "NotificationHost", "NotificationHostTesting", "RichNotifications",
      "SampleExtensionProcess", "SampleExtensions", "UserNotifications", "TestSupport"),
    tests(
      "NotificationPreviewTests", "ConfinedCalls", "NotificationPreview", "NotificationHost",
      "PhoneCards", "MediaLoading", "PushPayload", "PushServer", "PushModel", "MartletCommands",
      "NotificationCards", "NotificationTemplates", "RichNotifications", "_Card", "_Confinement",
      "_Spawn", "TestSupport"),
    .testTarget(
      name: "CardTests",
      dependencies: [
        "NotificationCards", "NotificationTemplates", "PushPayload", "_Card", "CDemoMedia",
        "CGdkPixbuf", "CZlib", "TestSupport",
      ], exclude: ["Snapshots"]),
  ]

  // Provider: Apple's wire, both ends.
  let provider: [Target] = [
    room(
      "APNs", "PushPayload", "PushCrypto", "_EventLoop", "_TLS", "_HTTP2", "_HTTP2Channel",
      "_OpenSSLCrypto"),
    room(
      "APNsSandbox", "PushPayload", "PushCrypto", "_EventLoop", "_TLS", "_HTTP2", "_HTTP2Channel",
      "_OpenSSLCrypto"),
    room(
      "APNsConformance", "PushPayload", "PushCrypto", "_ConformanceFiles", "_EventLoop", "_TLS",
      "_HTTP2", "_HTTP2Channel", "_OpenSSLCrypto"),
    // A running sandbox, a client without the library's rules, and HTTP/2 frames.
    fixture(
      "APNsTestSupport", "APNs", "APNsConformance", "APNsSandbox", "PushCrypto", "PushPayload",
      "_EventLoop", "_TLS", "_HTTP2", "_HTTP2Channel", "_OpenSSLCrypto", "TestSupport"),
    tests(
      "APNsTests", "APNs", "APNsConformance", "APNsSandbox", "APNsTestSupport", "PushCrypto",
      "PushPayload", "_EventLoop", "_TLS", "_HTTP2", "_HTTP2Channel", "_OpenSSLCrypto", "_Spawn",
      "TestSupport"),
    tests(
      "APNsSandboxTests", "APNs", "APNsConformance", "APNsSandbox", "APNsTestSupport",
      "PushPayload", "_EventLoop", "_TLS", "_OpenSSLCrypto", "TestSupport"),
    tests(
      "APNsConformanceTests", "APNs", "APNsConformance", "APNsSandbox", "APNsTestSupport",
      "PushPayload", "_TLS", "TestSupport"),
    tests(
      "ServerAdaptersTests", "APNs", "APNsSandbox", "APNsTestSupport", "ServerAdapters",
      "TestSupport"),
  ]

  // Server: what runs for years.
  let server: [Target] = [
    room("PushModel", "PushPayload", "NetworkAddresses", "_Bitmaps"),
    room(
      "PushStore", "PushModel", "PushPayload", "NetworkAddresses", "_Bitmaps", "_EventLoop",
      "_PostgreSQL", "_SQLite"),
    room("Liquid", "PushPayload"),
    room("UserTokens", "PushCrypto", "PushPayload"),
    room("Markup"),
    room(
      "PushServer", "PushPayload", "PushCrypto", "PushModel", "PayloadLint", "MediaLoading",
      "NotificationHost", "NotificationPreview", "NotificationTemplates", "Liquid", "Markup",
      "APNs", "UserTokens", "NotificationCards", "PhoneCards", "_Bitmaps", "_Curl", "_HTTPServer",
      "NetworkAddresses", "_OpenSSLCrypto", "_QRCode", "_WebAssets"),
    tests("PushModelTests", "PushModel", "NotificationHost", "PushPayload", "TestSupport"),
    tests(
      "PushStoreTests", "PushStore", "PushModel", "PushPayload", "_PostgreSQL", "_RecordedDisk",
      "_SQLite", "_TLS", "TestSupport"),
    tests("LiquidTests", "Liquid", "PushPayload", "TestSupport"),
    tests(
      "UserTokensTests", "UserTokens", "CryptoKit", "PushCrypto", "PushPayload", "_OpenSSLCrypto",
      "TestSupport"),
    tests(
      "PushServerTests", "PushServer", "MartletKit", "PushModel", "PushStore", "PushPayload",
      "PushCrypto", "Liquid", "Markup", "MediaLoading", "NotificationHost", "NotificationPreview",
      "NotificationTemplates", "RichNotificationContent", "RichNotifications", "UserNotifications",
      "APNs", "APNsSandbox", "UserTokens", "NotificationCards", "_Bitmaps", "_Curl", "_HTTPServer",
      "_OpenSSLCrypto", "_QRCode", "_SQLite", "_TLS", "PayloadLint", "TestSupport"),
    tests(
      "SimulationTests", "PushServer", "PushModel", "PushStore", "PushPayload", "APNs",
      "APNsSandbox", "_Curl", "_Determinism", "_HTTP2", "_HTTPServer", "_OpenSSLCrypto",
      "_RecordedDisk", "TestSupport"),
  ]

  // Tools: what people type.
  let tools: [Target] = [
    room("PayloadLint", "MediaLoading", "NotificationTemplates", "PushPayload"),
    room(
      "BundleDoctor", "NotificationTemplates", "PushPayload", "PushCrypto", "_OpenSSLCrypto", "_Zip"
    ),
    room(
      "MartletCommands", "PushPayload", "MediaLoading", "RichNotifications", "NotificationHost",
      "NotificationPreview", "NotificationTemplates", "PushCrypto", "PayloadLint", "BundleDoctor",
      "MartletKit", "APNs", "APNsConformance", "APNsSandbox", "PushModel", "PushStore",
      "PushServer", "Markup", "NetworkAddresses", "NotificationCards", "PhoneCards", "_Curl",
      "_EventLoop", "_HTTPServer", "_TLS", "_OpenSSLCrypto", "_DemoMedia", "_Spawn"),
    .executableTarget(
      name: "martlet", dependencies: ["CardDrawing", "MartletCommands", "NotificationCards"],
      linkerSettings: [allocator]),
    // The program of packages, which starts `martlet-card` for cards; see docs/contributing/decisions/0038.
    .executableTarget(
      name: "martlet-packaged", dependencies: ["MartletCommands"], linkerSettings: [allocator]),
    tests(
      "PayloadLintTests", "PayloadLint", "PushPayload", "APNs", "APNsSandbox", "_HTTP2",
      "TestSupport"),
    fixture("BundleFixtures", "BundleDoctor", "COpenSSL", "CZip", "_OpenSSLCrypto", "_TLS"),
    tests(
      "BundleDoctorTests", "BundleDoctor", "BundleFixtures", "PushPayload", "RichNotifications",
      "TestSupport"),
    tests(
      "MartletCommandsTests", "MartletCommands", "APNs", "APNsSandbox", "BundleDoctor",
      "BundleFixtures", "MediaLoading", "NotificationTemplates", "PayloadLint", "PushPayload",
      "RichNotifications", "PushServer", "PushModel", "PushStore", "Markup", "_HTTPServer",
      "_OpenSSLCrypto", "_PostgreSQL", "_SQLite", "_Spawn", "_TLS", "TestSupport"),
  ]

  // System: one library or one service each. Only rooms whose names begin with `_` import C modules. A system library is a
  // module map and a header, and none names a `pkgConfig`: SwiftPM would read it, with warnings, in the build of every
  // package that depends on this one; see docs/contributing/decisions/0025.
  let system: [Target] = [
    room("_EventLoop", "CLinux"),
    room("_OpenSSLCrypto", "COpenSSL", "COpenSSLExit", "PushCrypto"),
    room("_TLS", "COpenSSL", "PushCrypto", "_OpenSSLCrypto"),
    room("_HTTP2", "CNghttp2"),
    room("_HTTP2Channel", "_EventLoop", "_TLS", "_HTTP2"),
    room("_HTTPServer", "CLinux", "NetworkAddresses", "_EventLoop", "_TLS"),
    room("_SQLite", "CSQLite"),
    room("_PostgreSQL", "CPostgreSQL"),
    room("_Bitmaps", "CRoaring"),
    room("_QRCode", "CQRencode"),
    room("_Curl", "CCurl", "MediaLoading"),
    room("_Spawn", "CLinux"),
    room("_Confinement", "CLinux", "CSeccomp"),
    room("_Zip", "CZip"),
    room("_ConformanceFiles", "CConformance"),
    room("_DemoMedia", "CDemoMedia"),
    room("_WebAssets", "CWebAssets", "CZlib"),
    .target(name: "CWebAssets", exclude: ["web"]),
    tests("NetworkAddressesTests", "NetworkAddresses"),
    tests("TLSTests", "_TLS", "TestSupport"),
    tests("HTTP2Tests", "_HTTP2", "TestSupport"),
    tests("HTTPServerTests", "_HTTPServer", "_TLS", "TestSupport"),
    tests("PostgreSQLTests", "_PostgreSQL", "_TLS", "TestSupport"),
    tests("BitmapsTests", "_Bitmaps", "TestSupport"),
    fixture("CRecordedDisk", "CSQLite"),
    fixture("_RecordedDisk", "CRecordedDisk"),
    fixture("CDeterminism", "COpenSSL"),
    fixture("_Determinism", "CDeterminism"),
  ]
  let libraries: [Target] = [
    "COpenSSL", "CNghttp2", "CCurl", "CSQLite", "CPostgreSQL", "CRoaring", "CQRencode",
    "CPangoCairo", "CGdkPixbuf", "CZip", "CZlib", "CSeccomp",
  ].map { .systemLibrary(name: $0) }
  let bareRooms: [Target] = [
    "NetworkAddresses", "_GdkPixbuf", "_Cairo", "CLinux", "COpenSSLExit", "CConformance",
    "CDemoMedia",
  ].map { room($0) }

  // Examples: the code of apps and servers that use this package.
  let examples: [Target] = [
    .executableTarget(
      name: "CommonFaults", dependencies: ["NotificationHost", "UserNotifications"],
      path: "Examples/CommonFaults"),
    // The extension and the tests of `Examples`.
    .target(
      name: "ExampleNotificationService", dependencies: ["UserNotifications"],
      path: "Examples/NotificationService", swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "ExampleAppTests",
      dependencies: ["ExampleNotificationService", "NotificationHost", "NotificationHostTesting"],
      path: "Examples/AppTests"),
    // Adapters of the client for other packages, whose protocols are restated in its folder `Stubs`.
    .target(name: "ServerAdapters", dependencies: ["APNs"], path: "Examples/ServerAdapters"),
  ]

  var targets =
    [testSupport] + floor("Device", device) + floor("AppleModules", appleModules + bareModules)
    + floor("Phone", phone) + floor("Provider", provider) + floor("Server", server)
    + floor("Tools", tools) + floor("System", system + libraries + bareRooms) + examples
  products += [
    .library(name: "NotificationHost", targets: ["NotificationHost", "UserNotifications"]),
    .executable(name: "martlet", targets: ["martlet"]),
  ]
  // Apple's modules, with those of their rooms that an import of theirs brings along.
  let exported = [
    "os": ["OSLog"], "Intents": ["UserNotifications"], "UIKit": ["CoreGraphics"],
    "ImageIO": ["CoreGraphics"], "UserNotificationsUI": ["UIKit", "UserNotifications"],
    "AVFoundation": ["AVFAudio", "AVKit", "AudioToolbox", "CoreGraphics"],
    "SwiftUI": ["Combine", "CoreGraphics", "UIKit", "UniformTypeIdentifiers"],
  ]
  products += appleProducts.map { .library(name: $0, targets: [$0] + (exported[$0] ?? [])) }
  // The targets of `scripts/bench`. They use rooms that are not products, so they are in this package. The variable
  // keeps them out of every other build.
  if Context.environment["MARTLET_BENCH"] != nil {
    targets += [
      .target(name: "BenchmarkSample", path: "Benchmarks/Sample"),
      .target(  // A peer of the JSON benchmark, behind a C header.
        name: "CSimdjson", path: "Benchmarks/CSimdjson",
        linkerSettings: [.linkedLibrary("simdjson")]),
      .target(
        name: "_Simdjson", dependencies: ["CSimdjson", "PushPayload"], path: "Benchmarks/Simdjson"),
      .executableTarget(
        name: "bench-push", dependencies: ["APNs", "BenchmarkSample"], path: "Benchmarks/Push"),
      // Their difference is the size of MartletKit.
      .executableTarget(
        name: "bench-app", dependencies: ["MartletKit", "PushPayload"], path: "Benchmarks/App"),
      .executableTarget(
        name: "bench-empty", dependencies: ["UserNotifications"], path: "Benchmarks/Empty"),
    ]
    targets.append(
      .executableTarget(
        name: "bench",
        dependencies: [
          "APNs", "BenchmarkSample", "APNsSandbox", "CardDrawing", "MartletKit", "PushCrypto",
          "PushPayload", "PushServer", "PushModel", "PushStore", "MediaLoading",
          "NotificationCards", "NotificationHost", "NotificationTemplates", "RichNotifications",
          "UserNotifications", "_Card", "_Curl", "_HTTPServer", "_OpenSSLCrypto", "_Simdjson",
          "_Spawn", "_SQLite", "_TLS", "TestSupport",
        ], path: "Benchmarks",
        exclude: ["aioapns_client.py", "App", "CSimdjson", "Empty", "Push", "Sample", "Simdjson"]))
  }
#else
  // The libraries that run on Linux, so that a manifest which names them resolves. Their declarations say so.
  let other = ["OtherSystems.swift"]
  let phone: [Target] = [
    .target(name: "NotificationHost", sources: other),
    .target(name: "NotificationHostTesting", dependencies: ["NotificationHost"], sources: other),
  ]
  let provider: [Target] = ["APNs", "APNsSandbox"].map { .target(name: $0, sources: other) }
  // Apple's systems have these modules. The products are there so that a manifest which names them resolves.
  let appleModules: [Target] = [room("EmptyModule")]
  products += appleProducts.map { .library(name: $0, targets: ["EmptyModule"]) }
  device += [
    // For projects in Objective-C, whose classes cannot inherit from Swift classes.
    room("RichNotificationsObjC", "RichNotifications"),
    // For apps in SwiftUI and in Objective-C.
    room("MartletKitUI", "MartletKit"),
    room("MartletKitObjC", "MartletKit", "PushPayload"),
  ]
  products += ["NotificationHost", "RichNotificationsObjC", "MartletKitUI", "MartletKitObjC"]
    .map { .library(name: $0, targets: [$0]) }
  let targets =
    [testSupport] + floor("Device", device) + floor("AppleModules", appleModules)
    + floor("Phone", phone) + floor("Provider", provider)
#endif

let package = Package(
  name: "martlet",
  platforms: [.iOS(.v16), .macOS(.v13), .watchOS(.v9), .visionOS(.v1), .macCatalyst(.v16)],
  products: products,
  targets: targets,
  swiftLanguageModes: [.v6]
)

// The settings of all Swift targets. The device half has none that Swift 6.1 lacks, so that its source means the same to
// every compiler. Examples and fixtures are compiled as in an app's project.
let deviceHalf = [
  "PushPayload", "PushCrypto", "MediaLoading", "URLSessionMedia", "RichNotifications",
  "NotificationTemplates", "RichNotificationContent", "MartletKit", "MartletKitUI",
  "MartletKitObjC",
]
let others = [
  "CLinux", "COpenSSLExit", "CConformance", "CDemoMedia", "CRecordedDisk", "CDeterminism",
  "CSimdjson", "CWebAssets", "RichNotificationsObjC", "ExampleNotificationService", "AppFixture",
  "FoundationOnly", "KeychainFixture", "SampleExtensions",
]
for target in package.targets where target.type != .system && !others.contains(target.name) {
  var features = ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault"]
  if !deviceHalf.contains(target.name) {
    features += ["NonisolatedNonsendingByDefault", "InferIsolatedConformances"]
  }
  let settings = features.map { SwiftSetting.enableUpcomingFeature($0) }
  target.swiftSettings = (target.swiftSettings ?? []) + settings
}
