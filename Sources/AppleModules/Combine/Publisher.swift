/// Apple's `Subscribers`, of which this model has the ends.
///
/// Source: Apple, `Subscribers`.
public enum Subscribers {
  /// The end of values.
  public enum Completion<Failure: Error> {
    /// There are no more.
    case finished
    /// There are no more, because of an error.
    case failure(Failure)
  }
}

/// Apple's `Publisher`, values over time.
///
/// A subscriber here gets all values at once, on the thread on which they are sent: there is no demand, and operators
/// other than `map`, `filter` and `compactMap` do not exist.
///
/// Source: Apple, `Publisher`.
public protocol Publisher<Output, Failure> {
  /// The type of values.
  associatedtype Output
  /// The type of errors.
  associatedtype Failure: Error

  /// Calls closures with the end and the values.
  ///
  /// - Parameters:
  ///   - receiveCompletion: Called once with the end.
  ///   - receiveValue: Called with each value.
  /// - Returns: What ends it.
  func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable
}

extension Publisher where Failure == Never {
  /// Calls a closure with the values.
  ///
  /// - Parameter receiveValue: Called with each value.
  /// - Returns: What ends it.
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}

extension Publisher {
  /// Hides the type of a publisher.
  ///
  /// - Returns: The publisher.
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
    AnyPublisher { sink(receiveCompletion: $0, receiveValue: $1) }
  }

  /// Changes each value.
  ///
  /// - Parameter transform: Makes the new value.
  /// - Returns: The publisher of the new values.
  public func map<T>(_ transform: @escaping (Output) -> T) -> AnyPublisher<T, Failure> {
    AnyPublisher { end, receive in
      sink(receiveCompletion: end) { receive(transform($0)) }
    }
  }

  /// Changes each value, or leaves it out.
  ///
  /// - Parameter transform: Makes the new value; `nil` leaves it out.
  /// - Returns: The publisher of the new values.
  public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> AnyPublisher<T, Failure> {
    AnyPublisher { end, receive in
      sink(receiveCompletion: end) { transform($0).map(receive) }
    }
  }

  /// Leaves values out.
  ///
  /// - Parameter isIncluded: Whether a value is kept.
  /// - Returns: The publisher of the values that are kept.
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> {
    compactMap { isIncluded($0) ? $0 : nil }
  }
}

/// Apple's `AnyPublisher`, a publisher whose type is hidden.
///
/// Source: Apple, `AnyPublisher`.
public struct AnyPublisher<Output, Failure: Error>: Publisher {
  let subscribe:
    (@escaping (Subscribers.Completion<Failure>) -> Void, @escaping (Output) -> Void) ->
      AnyCancellable

  /// Calls closures with the end and the values.
  ///
  /// - Parameters:
  ///   - receiveCompletion: Called once with the end.
  ///   - receiveValue: Called with each value.
  /// - Returns: What ends it.
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable { subscribe(receiveCompletion, receiveValue) }
}

/// Apple's `Just`, one value.
///
/// Source: Apple, `Just`.
public struct Just<Output>: Publisher {
  /// No error.
  public typealias Failure = Never
  /// The value.
  public let output: Output

  /// Creates it.
  ///
  /// - Parameter output: The value.
  public init(_ output: Output) { self.output = output }

  /// Calls closures with the value and the end.
  ///
  /// - Parameters:
  ///   - receiveCompletion: Called once with the end.
  ///   - receiveValue: Called with the value.
  /// - Returns: What would end it.
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Never>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    receiveValue(output)
    receiveCompletion(.finished)
    return AnyCancellable {}
  }
}
