/// Who follows a subject.
final class Followers<Output, Failure: Error> {
  private typealias Follower = (
    end: (Subscribers.Completion<Failure>) -> Void, receive: (Output) -> Void
  )

  private var count = 0
  private var followers: [Int: Follower] = [:]
  private(set) var completion: Subscribers.Completion<Failure>?

  func add(
    _ end: @escaping (Subscribers.Completion<Failure>) -> Void,
    _ receive: @escaping (Output) -> Void
  ) -> AnyCancellable {
    if let completion {
      end(completion)
      return AnyCancellable {}
    }
    count += 1
    let number = count
    followers[number] = (end, receive)
    return AnyCancellable { [weak self] in self?.followers[number] = nil }
  }

  func send(_ value: Output) {
    for number in followers.keys.sorted() { followers[number]?.receive(value) }
  }

  func send(completion: Subscribers.Completion<Failure>) {
    guard self.completion == nil else { return }
    self.completion = completion
    let ended = followers.sorted { $0.key < $1.key }
    followers = [:]
    for follower in ended { follower.value.end(completion) }
  }
}

/// Apple's `PassthroughSubject`, values that are sent, all from one thread.
///
/// Source: Apple, `PassthroughSubject`.
public final class PassthroughSubject<Output, Failure: Error>: Publisher {
  private let followers = Followers<Output, Failure>()

  /// Creates a subject.
  public init() {}

  /// Sends a value.
  ///
  /// - Parameter input: The value.
  public func send(_ input: Output) { followers.send(input) }

  /// Sends the end.
  ///
  /// - Parameter completion: The end.
  public func send(completion: Subscribers.Completion<Failure>) {
    followers.send(completion: completion)
  }

  /// Calls closures with the end and the values.
  ///
  /// - Parameters:
  ///   - receiveCompletion: Called once with the end.
  ///   - receiveValue: Called with each value.
  /// - Returns: What ends it.
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable { followers.add(receiveCompletion, receiveValue) }
}

extension PassthroughSubject where Output == Void {
  /// Sends a value.
  public func send() { send(()) }
}

/// Apple's `CurrentValueSubject`, values that are sent, of which a new subscriber gets the last one.
///
/// All are sent from one thread.
///
/// Source: Apple, `CurrentValueSubject`.
public final class CurrentValueSubject<Output, Failure: Error>: Publisher {
  private let followers = Followers<Output, Failure>()
  private var last: Output

  /// Creates a subject.
  ///
  /// - Parameter value: The first value.
  public init(_ value: Output) { last = value }

  /// The last value; setting it sends it.
  public var value: Output {
    get { last }
    set { send(newValue) }
  }

  /// Sends a value.
  ///
  /// - Parameter input: The value.
  public func send(_ input: Output) {
    guard followers.completion == nil else { return }
    last = input
    followers.send(input)
  }

  /// Sends the end.
  ///
  /// - Parameter completion: The end.
  public func send(completion: Subscribers.Completion<Failure>) {
    followers.send(completion: completion)
  }

  /// Calls closures with the end and the values, of which the last one is given at once.
  ///
  /// - Parameters:
  ///   - receiveCompletion: Called once with the end.
  ///   - receiveValue: Called with each value.
  /// - Returns: What ends it.
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    if followers.completion == nil { receiveValue(last) }
    return followers.add(receiveCompletion, receiveValue)
  }
}
