// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "App",
  platforms: [.iOS(.v16), .macOS(.v13)],
  dependencies: [
    .package(name: "martlet", path: "../..")
  ],
  targets: [
    .target(
      name: "NotificationService",
      dependencies: [.product(name: "RichNotifications", package: "martlet")]),
    .testTarget(
      name: "NotificationServiceTests",
      dependencies: [
        "NotificationService",
        .product(name: "NotificationHost", package: "martlet"),
        .product(name: "NotificationHostTesting", package: "martlet"),
      ]),
  ]
)
