// The declarations of Apple's ActivityKit that Martlet and its example use.
// https://developer.apple.com/documentation/activitykit
public import Foundation

@available(iOS 16.1, *)
public protocol ActivityAttributes: Decodable, Encodable {
  associatedtype ContentState: Decodable, Encodable, Hashable
}

@available(iOS 16.1, *)
public enum ActivityState: Codable, Hashable, Sendable {
  case active, ended, dismissed
  @available(iOS 16.2, *)
  case stale
}

@available(iOS 16.1, *)
public struct PushType: Equatable, Sendable {
  public static var token: PushType { fatalError() }
  @available(iOS 18.0, *)
  public static func channel(_ channelId: String) -> PushType { fatalError() }
}

@available(iOS 16.2, *)
public struct ActivityContent<State: Decodable & Encodable & Hashable> {
  public init(state: State, staleDate: Date?, relevanceScore: Double = 0.0) { fatalError() }
  public var state: State
}

@available(iOS 16.2, *)
extension ActivityContent: Sendable where State: Sendable {}

@available(iOS 16.2, *)
public struct ActivityUIDismissalPolicy: Sendable {
  public static var `default`: ActivityUIDismissalPolicy { fatalError() }
  public static var immediate: ActivityUIDismissalPolicy { fatalError() }
}

// Apple's documentation does not list it as Sendable.
@available(iOS 16.1, *)
public class Activity<Attributes: ActivityAttributes>: Identifiable {
  public typealias ContentState = Attributes.ContentState
  public var id: String { fatalError() }
  public var attributes: Attributes { fatalError() }
  public var activityState: ActivityState { fatalError() }
  public var pushToken: Data? { fatalError() }
  public var pushTokenUpdates: PushTokenUpdates { fatalError() }
  public var activityStateUpdates: ActivityStateUpdates { fatalError() }
  public static var activities: [Activity<Attributes>] { fatalError() }
  public static var activityUpdates: ActivityUpdates { fatalError() }
  @available(iOS 17.2, *)
  public static var pushToStartToken: Data? { fatalError() }
  @available(iOS 17.2, *)
  public static var pushToStartTokenUpdates: PushTokenUpdates { fatalError() }
  @available(iOS 16.2, *)
  public static func request(
    attributes: Attributes, content: ActivityContent<Activity<Attributes>.ContentState>,
    pushType: PushType? = nil
  ) throws -> Activity<Attributes> { fatalError() }
  @available(iOS 16.2, *)
  public func end(
    _ content: ActivityContent<Activity<Attributes>.ContentState>?,
    dismissalPolicy: ActivityUIDismissalPolicy = .default
  ) async { fatalError() }

  public struct PushTokenUpdates: AsyncSequence {
    public struct Iterator: AsyncIteratorProtocol {
      public mutating func next() async -> Data? { fatalError() }
    }
    public func makeAsyncIterator() -> Iterator { fatalError() }
  }
  public struct ActivityStateUpdates: AsyncSequence {
    public struct Iterator: AsyncIteratorProtocol {
      public mutating func next() async -> ActivityState? { fatalError() }
    }
    public func makeAsyncIterator() -> Iterator { fatalError() }
  }
  public struct ActivityUpdates: AsyncSequence {
    public struct Iterator: AsyncIteratorProtocol {
      public mutating func next() async -> Activity<Attributes>? { fatalError() }
    }
    public func makeAsyncIterator() -> Iterator { fatalError() }
  }
}
