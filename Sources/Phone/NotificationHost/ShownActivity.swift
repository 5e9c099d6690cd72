public import PushPayload

/// A Live Activity that a push has started, updated or ended.
public struct ShownActivity: Hashable, Sendable {
  /// A place in which a Live Activity is shown.
  public struct Place: RawRepresentable, Hashable, Sendable {
    /// The name, such as `lock-screen`.
    public let rawValue: String

    /// Creates a place.
    ///
    /// - Parameter rawValue: Lower-case words joined by hyphens.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The lock screen of the phone.
    public static let lockScreen = Place(rawValue: "lock-screen")
    /// The Dynamic Island, on a phone that has one.
    public static let dynamicIsland = Place(rawValue: "dynamic-island")
    /// The Smart Stack of a paired watch, since iOS 18.
    public static let smartStack = Place(rawValue: "smart-stack")
    /// The Home Screen of CarPlay, since iOS 26.
    public static let carPlay = Place(rawValue: "carplay")
    /// The menu bar of a paired Mac, since iOS 26.
    public static let menuBar = Place(rawValue: "menu-bar")
  }

  /// The event and its content, as the push has them.
  public var push: LiveActivity
  /// The token by which later pushes name the activity, in hexadecimal; `nil` if the push did not name its activity.
  public var token: String?
  /// The places in which it is shown, as far as the person has the devices.
  ///
  /// No key of a push chooses them. Source: Apple, "ActivityKit" and "ActivityKit updates" (June 2024 and June 2025).
  public var places: [Place] { [.lockScreen, .dynamicIsland, .smartStack, .carPlay, .menuBar] }

  init(_ push: LiveActivity, token: String?) { (self.push, self.token) = (push, token) }
}
