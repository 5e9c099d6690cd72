import Testing

// The products with names of Apple's modules are built for who asks for them, and for nobody else: code of this package and of
// its other dependencies that asks `#if canImport(CryptoKit)` is compiled as on any Linux.
#if canImport(CryptoKit) || canImport(UIKit) || canImport(os) || canImport(Intents) || canImport(OSLog)
  let appleModules = true
#elseif canImport(AVFoundation) || canImport(CoreGraphics) || canImport(CoreData) || canImport(Network)
  let appleModules = true
#elseif canImport(Combine) || canImport(SwiftUI) || canImport(SQLite3) || canImport(WidgetKit)
  let appleModules = true
#else
  let appleModules = false
#endif

@Test("no module of Apple's is there that this package's manifest does not name")
func modules() {
  #expect(!appleModules)
}
