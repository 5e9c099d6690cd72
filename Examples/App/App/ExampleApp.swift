import SwiftUI

/// A shop that uses all of MartletKit: registration, permission, sign-in, tags, events, inbox, taps and a Live Activity.
@main
struct ExampleApp: App {
  @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate

  var body: some Scene {
    WindowGroup { ShopView(push: delegate.push) }
  }
}
