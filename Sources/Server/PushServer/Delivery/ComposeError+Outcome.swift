extension ComposeError {
  /// The outcome's reason for a device whose payload could not be composed.
  var reason: String {
    switch code {
    case .tooLarge: "PayloadTooLarge"
    case .template, .value: "TemplateFailed"
    case .badKey: "BadDeviceKey"
    default: "PayloadRefused"
    }
  }
}
