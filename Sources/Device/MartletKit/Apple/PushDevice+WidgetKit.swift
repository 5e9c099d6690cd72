#if canImport(WidgetKit) && os(iOS) && !targetEnvironment(macCatalyst)
  import Foundation
  public import WidgetKit

  extension PushDevice {
    /// Tells the server the tokens of the app's controls.
    ///
    /// Call it in the push handler of the controls, which WidgetKit makes in the widget extension:
    ///
    /// ```swift
    /// @available(iOS 18, *)
    /// nonisolated struct ControlTokens: ControlPushHandler {
    ///   func pushTokensDidChange(controls: [ControlInfo]) {
    ///     PushDevice(settings).updateControlTokens(controls)
    ///   }
    /// }
    /// ```
    ///
    /// WidgetKit names all controls each time, so controls that are not among them lose their tokens. Source: Apple,
    /// `ControlPushHandler`.
    ///
    /// - Parameter controls: The controls, as WidgetKit gives them.
    @available(iOS 18.0, *)
    public func updateControlTokens(_ controls: [ControlInfo]) {
      let tokens = controls.compactMap { control in
        control.pushInfo.map { ($0.token, control.kind) }
      }
      setControlTokens(Dictionary(tokens, uniquingKeysWith: { first, _ in first }))
    }

    // Xcode 16 does not have these declarations of WidgetKit.
    #if compiler(>=6.2)
      /// Tells the server the token of the app's widgets.
      ///
      /// Call it in the push handler of the widgets, which WidgetKit makes in the widget extension:
      ///
      /// ```swift
      /// @available(iOS 26, *)
      /// nonisolated struct WidgetToken: WidgetPushHandler {
      ///   func pushTokenDidChange(_ pushInfo: WidgetPushInfo, widgets: [WidgetInfo]) {
      ///     PushDevice(settings).updateWidgetToken(pushInfo, widgets: widgets)
      ///   }
      /// }
      /// ```
      ///
      /// Source: Apple, `WidgetPushHandler`.
      ///
      /// - Parameters:
      ///   - pushInfo: The token, as WidgetKit gives it.
      ///   - widgets: The widgets that pushes update; without any, the server loses the token.
      @available(iOS 26.0, *)
      public func updateWidgetToken(_ pushInfo: WidgetPushInfo, widgets: [WidgetInfo]) {
        setWidgetToken(widgets.isEmpty ? nil : pushInfo.token)
      }
    #endif
  }
#endif
