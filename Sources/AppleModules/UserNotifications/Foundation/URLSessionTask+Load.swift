import Foundation
import Synchronization

extension URLSessionTask {
  /// The number of redirects that the system follows.
  private static let redirectLimit = 16

  // MARK: The request

  /// Starts the first load.
  func start() {
    let settings = session.settings
    if settings.identifier != nil, settings.sharedContainerIdentifier == nil {
      // Source: Apple, `sharedContainerIdentifier`: a session of an extension needs one.
      return fail(.backgroundSessionRequiresSharedContainer)
    }
    let request = status.withLock { status in
      if let stream = status.request.httpBodyStream, status.body == nil {
        status.body = Self.read(stream)
      }
      return status.request
    }
    // The default, seven days, is longer than any extension lives.
    if settings.timeoutIntervalForResource < URLSessionConfiguration.week {
      let stop = world.schedule?(.seconds(settings.timeoutIntervalForResource)) { [weak self] in
        self?.fail(.timedOut)
      }
      status.withLock { $0.stopTimer = stop }
    }
    begin(request)
  }

  /// Reads a stream to its end.
  private static func read(_ stream: InputStream) -> Data {
    var data = Data()
    stream.open()
    defer { stream.close() }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe stream.read(&buffer, maxLength: buffer.count)
      guard count > 0 else { return data }
      data.append(contentsOf: buffer.prefix(count))
    }
  }

  /// Begins a load of a request.
  private func begin(_ request: URLRequest) {
    let settings = session.settings
    let policy =
      request.cachePolicy == .useProtocolCachePolicy
      ? settings.requestCachePolicy : request.cachePolicy
    let sent = wireRequest(request)
    var source = Source.network
    if [.returnCacheDataElseLoad, .returnCacheDataDontLoad].contains(policy),
      let cached = settings.cache(in: world)?.cachedResponse(for: request)
    {
      source = .cached(cached)
    } else if policy == .returnCacheDataDontLoad {
      source = .nothing
    } else if let kind = session.protocolClass(for: sent) {
      source = .urlProtocol(kind)
    }
    // From iOS 13 on a GET request with a body is not sent (observed by Proxyman's authors, issue 614).
    let hasWrongBody = sent.httpMethod == "GET" && sent.httpBody?.isEmpty == false
    if source.isNetwork, hasWrongBody { return fail(.dataLengthExceedsMaximum) }
    let (number, stop, isWanted) = status.withLock { status in
      let isWanted = status.state == .running || status.state == .suspended
      guard isWanted else { return (status.load, Optional<@Sendable () -> Void>.none, false) }
      let stop = status.beginLoad(request, followsRedirects: source.isNetwork)
      status.sent = Int64(sent.httpBody?.count ?? 0)
      return (status.load, stop, true)
    }
    stop?()
    guard isWanted else { return }
    if let count = sent.httpBody?.count, count > 0 { tellSent(count) }
    let stopLoad = load(sent, from: source) { [self] event in receive(event, of: number) }
    let isOver = status.withLock { status in
      guard status.load == number, status.state != .completed else { return true }
      status.stopLoad = stopLoad
      return false
    }
    if isOver { stopLoad?() }
  }

  /// The origin of a response.
  private enum Source: Sendable {
    case network, nothing
    case cached(CachedURLResponse)
    case urlProtocol(URLProtocol.Type)

    var isNetwork: Bool {
      if case .network = self { true } else { false }
    }
  }

  private func load(
    _ request: URLRequest, from source: Source,
    receive: @escaping @Sendable (URLLoadEvent) -> Void
  ) -> (@Sendable () -> Void)? {
    switch source {
    case .nothing: receive(.end(URLError(.resourceUnavailable)))
    case .cached(let cached):
      for event in [.response(cached.response), .data(cached.data), .end(nil)] as [URLLoadEvent] {
        receive(event)
      }
    case .urlProtocol(let kind):
      return URLProtocolLoad(kind, request, in: world, receive: receive).start()
    case .network:
      guard let network = world.network else {
        receive(.end(URLError(.notConnectedToInternet)))
        return nil
      }
      let timeout = min(request.timeoutInterval, session.settings.timeoutIntervalForRequest)
      return network.load(request, timeout: timeout, receive: receive)
    }
    return nil
  }

  /// The request as it is sent: with the configuration's header fields, the cookies and the body.
  private func wireRequest(_ request: URLRequest) -> URLRequest {
    let settings = session.settings
    var sent = request
    sent.httpBody = status.withLock { $0.body } ?? request.httpBody
    for (name, value) in settings.httpAdditionalHeaders ?? [:] {
      guard let name = name as? String, sent.value(forHTTPHeaderField: name) == nil else {
        continue
      }
      sent.setValue("\(value)", forHTTPHeaderField: name)
    }
    if !settings.allowsConstrainedNetworkAccess { sent.allowsConstrainedNetworkAccess = false }
    if request.httpShouldHandleCookies, settings.httpShouldSetCookies, let url = request.url,
      sent.value(forHTTPHeaderField: "Cookie") == nil,
      let cookies = settings.cookies(in: world)?.cookies(for: url), !cookies.isEmpty
    {
      for (name, value) in HTTPCookie.requestHeaderFields(with: cookies) {
        sent.setValue(value, forHTTPHeaderField: name)
      }
    }
    return sent
  }

  // MARK: The response

  /// Ends the task with an error.
  private func fail(_ code: URLError.Code) {
    let stop: [@Sendable () -> Void] = status.withLock { status in
      guard status.state == .running || status.state == .suspended else { return [] }
      return status.endLoad(with: URLError(code))
    }
    for stop in stop { stop() }
    processEvents()
  }

  private func receive(_ event: URLLoadEvent, of load: Int) {
    let isNeeded = status.withLock { status in
      guard status.load == load, status.state != .completed else { return false }
      status.events.append(event)
      return true
    }
    if isNeeded { processEvents() }
  }

  /// Processes the events that can be processed, on one thread at a time.
  func processEvents() {
    let begins = status.withLock { status in
      defer { status.isProcessing = true }
      return !status.isProcessing
    }
    guard begins else { return }
    while let event = status.withLock({ $0.nextEvent() }) { process(event) }
  }

  private func process(_ event: URLLoadEvent) {
    switch event {
    case .response(let response): process(response)
    case .redirect(let response, let request):
      if let response = response as? HTTPURLResponse { redirect(response, to: request) }
    case .data(let data):
      status.withLock { $0.received += Int64(data.count) }
      if !passOn(data) { status.withLock { $0.data.append(data) } }
    case .end(let error):
      if waitsForConnectivity(after: error) { return tellWaiting() }
      complete(with: error)
    }
  }

  private func process(_ response: URLResponse) {
    let (request, followsRedirects) = status.withLock { ($0.request, $0.followsRedirects) }
    guard followsRedirects, let head = response as? HTTPURLResponse else { return accept(response) }
    let settings = session.settings
    if request.httpShouldHandleCookies, settings.httpShouldSetCookies {
      settings.cookies(in: world)?.setCookies(of: head)
    }
    guard let next = request.redirected(by: head) else { return accept(response) }
    redirect(head, to: next)
  }

  private func redirect(_ response: HTTPURLResponse, to request: URLRequest) {
    let count = status.withLock { status in
      status.redirects += 1
      return status.redirects
    }
    guard count <= Self.redirectLimit else { return fail(.httpTooManyRedirects) }
    // Source: Apple, `urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)`: a background
    // session always follows.
    guard session.settings.identifier == nil, let delegate = taskDelegate else {
      return follow(response, to: request)
    }
    decide { answer in
      delegate.urlSession(
        self.session, task: self, willPerformHTTPRedirection: response, newRequest: request,
        completionHandler: answer)
    } then: { request in
      request.map { self.follow(response, to: $0) } ?? self.accept(response)
    }
  }

  private func follow(_ response: HTTPURLResponse, to request: URLRequest) {
    status.withLock { status in
      // Another method has lost the body.
      if request.httpMethod != status.request.httpMethod { status.body = nil }
    }
    begin(request)
  }

  private func accept(_ response: URLResponse) {
    status.withLock { $0.response = response }
    passOn(response)
  }

  /// Waits for a decision of the delegate.
  ///
  /// - Parameters:
  ///   - question: Asks the delegate, on its queue.
  ///   - next: Called with the first answer, before later events are processed.
  func decide<Answer: Sendable>(
    _ question: @escaping @Sendable (_ answer: @escaping @Sendable (Answer) -> Void) -> Void,
    then next: @escaping @Sendable (Answer) -> Void
  ) {
    let decision = status.withLock { status in
      status.lastDecision += 1
      status.decision = status.lastDecision
      return status.lastDecision
    }
    callbacks.add(in: world) { [self] in
      let isAnswered = Atomic(false)
      question { [self] answer in
        guard !isAnswered.exchange(true, ordering: .relaxed),
          // The task may have been canceled in the meantime.
          status.withLock({ $0.decision == decision })
        else { return }
        world.run { next(answer) }
        status.withLock { if $0.decision == decision { $0.decision = nil } }
        processEvents()
      }
    }
  }

  // MARK: The end

  private func waitsForConnectivity(after error: (any Error)?) -> Bool {
    session.settings.waitsForConnectivity && response == nil
      && (error as? URLError)?.code == .notConnectedToInternet
  }

  private func complete(with error: (any Error)?) {
    let stop: [@Sendable () -> Void] = status.withLock { status in
      guard status.state != .completed else { return [] }
      (status.state, status.error) = (.completed, error)
      defer { (status.stopLoad, status.stopTimer, status.events) = (nil, nil, []) }
      return [status.stopLoad, status.stopTimer].compactMap(\.self)
    }
    for stop in stop { stop() }
    world.sessions.remove(self)
    passOnEnd(error)
  }
}
