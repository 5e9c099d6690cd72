#if canImport(SwiftUI) && canImport(Darwin)
  public import MartletKit
  public import SwiftUI

  extension View {
    /// Calls a closure with each tap on a notification, also with the tap that started the app.
    ///
    /// A tap waits until a view with this modifier is shown, and is delivered once, to one of the views with the modifier. Put it
    /// on the view that navigates.
    ///
    /// - Parameters:
    ///   - push: The device.
    ///   - action: The closure.
    /// - Returns: The view with the modifier.
    public func onOpening(
      of push: PushDevice, perform action: @escaping @MainActor (Opening) -> Void
    ) -> some View {
      task(id: ObjectIdentifier(push)) {
        for await opening in push.openings { action(opening) }
      }
    }
  }
#endif
