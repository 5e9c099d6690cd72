// swift-tools-version: 6.3
import PackageDescription

// What an app's extension is to the package: a consumer of one product.
let package = Package(
  name: "LinkageTest",
  dependencies: [.package(name: "martlet", path: "../..")],
  targets: [
    .executableTarget(
      name: "consumer",
      dependencies: [.product(name: "RichNotifications", package: "martlet")])
  ]
)
