public import Foundation
import PushPayload

/// The tokens with which a server reloads the app's widgets and controls.
///
/// With WidgetKit an app calls `updateWidgetToken(_:widgets:)` and `updateControlTokens(_:)` in its push handlers. The
/// functions here are for apps that get the tokens in another way.
extension PushDevice {
  /// Sets the token with which a server reloads all widgets of the app on this device.
  ///
  /// The token is on disk when this returns, as long as the app has started the device. It is sent also in a process that has
  /// not called ``start()`` itself, such as a widget extension. Before the app's first start and after ``stop()`` nothing is
  /// written: call this again once the device is started.
  ///
  /// - Parameter token: The token, as WidgetKit gives it; `nil` if no widget is updated by pushes any more.
  public func setWidgetToken(_ token: Data?) {
    let tokens = token.map { [JSONValue.object(["token": .string(Array($0).hexadecimal)])] }
    setTokens(tokens ?? [], of: .widgets)
  }

  /// Sets the tokens with which a server reloads the controls on this device; all others are removed.
  ///
  /// The tokens are written and sent as that of ``setWidgetToken(_:)``. A server takes at most 20.
  ///
  /// - Parameter tokens: The kind of each control by its token, as WidgetKit gives them.
  public func setControlTokens(_ tokens: [Data: String]) {
    let sorted = tokens.map { (Array($0.key).hexadecimal, $0.value) }.sorted { $0.0 < $1.0 }
    setTokens(sorted.map { ["token": .string($0), "kind": .string($1)] }, of: .controls)
  }

  private func setTokens(_ tokens: [JSONValue], of type: TokenKey.ReloadType) {
    let value = tokens.isEmpty ? nil : JSONValue.array(tokens)
    change { $0.want(TokenKey.reload(type).text, value) }
    Task { await sendUnlessStarted() }
  }
}
