/// Apple's `Cancellable`, what can be ended.
///
/// Source: Apple, `Cancellable`.
public protocol Cancellable {
  /// Ends it.
  func cancel()
}

/// Apple's `AnyCancellable`, which ends what it stands for when it is freed.
///
/// Source: Apple, `AnyCancellable`.
public final class AnyCancellable: Cancellable, Hashable {
  private var end: (() -> Void)?

  /// Creates it.
  ///
  /// - Parameter cancel: Ends it.
  public init(_ cancel: @escaping () -> Void) { end = cancel }

  deinit { cancel() }

  /// Ends it, once.
  public func cancel() {
    let end = end
    self.end = nil
    end?()
  }

  /// Adds this to a set that keeps it.
  ///
  /// - Parameter set: The set.
  public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

  /// Whether two are the same object.
  ///
  /// - Parameters:
  ///   - lhs: One.
  ///   - rhs: The other.
  /// - Returns: Whether they are.
  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }

  /// Adds the object's identity to a hash.
  ///
  /// - Parameter hasher: The hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Apple's `ObservableObject`, an object that says that it will change.
///
/// Here nobody is told: SwiftUI's views do not exist.
///
/// Source: Apple, `ObservableObject`.
public protocol ObservableObject: AnyObject {}

/// Apple's `Published`, a property of an ``ObservableObject``.
///
/// Its publisher, `$name`, does not exist here.
///
/// Source: Apple, `Published`.
@propertyWrapper public struct Published<Value> {
  /// The value.
  public var wrappedValue: Value

  /// Creates a property.
  ///
  /// - Parameter wrappedValue: The value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// Creates a property.
  ///
  /// - Parameter initialValue: The value.
  public init(initialValue: Value) { wrappedValue = initialValue }
}

extension Published: Sendable where Value: Sendable {}
