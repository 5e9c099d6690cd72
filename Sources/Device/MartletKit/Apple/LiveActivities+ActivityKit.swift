// Apple lists these declarations for iOS and iPadOS alone.
#if canImport(ActivityKit) && os(iOS) && !targetEnvironment(macCatalyst)
  public import ActivityKit
  import Foundation

  /// The attributes of Live Activities that a Martlet server knows.
  ///
  /// ```swift
  /// nonisolated struct OrderAttributes: MartletActivityAttributes {
  ///   struct ContentState: Codable, Hashable, Sendable {
  ///     var status: String
  ///   }
  ///   var order: String
  ///   var martlet: ActivityReference?
  /// }
  /// ```
  ///
  /// The server sends to the activities with a ``martlet``, and to no others.
  @available(iOS 16.1, *)
  public protocol MartletActivityAttributes: ActivityAttributes, Sendable {
    /// The activity at the server; the server sets it in activities that it starts, and the app in its own ones.
    var martlet: ActivityReference? { get }
  }

  extension LiveActivities {
    /// Tells the server the tokens of the activities of one type, including activities that a push starts.
    ///
    /// Call it for each type at every launch of the app, including launches in the background: iOS launches the app when a push
    /// has started an activity, and then gives it the activity's token.
    ///
    /// ```swift
    /// Task { await push.liveActivities.follow(OrderAttributes.self) }
    /// ```
    ///
    /// A push can start activities from iOS 17.2 on. Running activities are reported too. It returns when its task is canceled.
    ///
    /// - Parameter type: The type of attributes. The server knows it by its name without the module's name.
    @available(iOS 16.1, *)
    public func follow<Attributes: MartletActivityAttributes>(_ type: Attributes.Type) async {
      await ActivityFollower(source: ActivityKitSource<Attributes>(), activities: self).run()
    }
  }

  /// The Live Activities of one type, as ActivityKit has them.
  ///
  /// An `Activity` stays in the function that has read it, because it may not be `Sendable`.
  @available(iOS 16.1, *)
  private struct ActivityKitSource<Attributes: MartletActivityAttributes>: ActivitySource {
    var type: String { String(describing: Attributes.self) }

    var startToken: Data? {
      guard #available(iOS 17.2, *) else { return nil }
      return Activity<Attributes>.pushToStartToken
    }

    var running: [SystemActivity] {
      Activity<Attributes>.activities.compactMap { activity in
        Self.isOver(activity.activityState) ? nil : Self.described(activity)
      }
    }

    func eachStartToken(_ take: @Sendable (Data) -> Void) async {
      guard #available(iOS 17.2, *) else { return }
      for await token in Activity<Attributes>.pushToStartTokenUpdates { take(token) }
    }

    func eachStart(_ take: @Sendable (SystemActivity) -> Void) async {
      for await activity in Activity<Attributes>.activityUpdates {
        if let described = Self.described(activity) { take(described) }
      }
    }

    func eachToken(of id: String, _ take: @Sendable (Data) -> Void) async {
      guard let activity = Self.activity(id) else { return }
      for await token in activity.pushTokenUpdates { take(token) }
    }

    func waitForEnd(of id: String) async -> Bool {
      guard let activity = Self.activity(id) else { return false }
      for await state in activity.activityStateUpdates where Self.isOver(state) { return true }
      return false
    }

    private static func activity(_ id: String) -> Activity<Attributes>? {
      Activity<Attributes>.activities.first { $0.id == id }
    }

    private static func described(_ activity: Activity<Attributes>) -> SystemActivity? {
      activity.attributes.martlet.map { reference in
        SystemActivity(
          id: activity.id, activity: reference.activityID, token: activity.pushToken)
      }
    }

    private static func isOver(_ state: ActivityState) -> Bool {
      state == .ended || state == .dismissed
    }
  }
#endif
