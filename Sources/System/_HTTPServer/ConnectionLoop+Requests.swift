extension ConnectionLoop {
  /// Handles the head of a request: refuses it, starts its admission, or calls its handler.
  func received(_ head: RequestHead, on connection: Connection) {
    let target = RequestTarget(head.target)
    connection.keepsAlive = head.keepsAlive
    connection.head = head
    connection.exchange += 1
    connection.bodyCount = 0
    connection.isPaused = false
    connection.isInFlight = true
    inFlight += 1
    let request = HTTPRequest(
      method: head.method, path: target.path, query: target.query, headers: head.headers,
      remoteAddress: shared.forwarded.client(of: connection.address, headers: head.headers))
    deadlines.receivedHead(connection.id, at: shared.now)
    guard !isRefusing else { return refuse(connection, with: .stopping) }
    let streams = shared.configuration.streamsBody(head.method, target.path)
    connection.bodyCost = shared.configuration.bodyCost(request)
    connection.bodyLimit = shared.bodyLimit(
      of: request, costing: connection.bodyCost, streams: streams)
    if case .length(let length) = head.framing, length > connection.bodyLimit {
      return refuse(connection, with: .tooLong(connection.bodyLimit))
    }
    connection.owesContinue = head.expectsContinue
    connection.request = request
    guard head.framing != .length(0) || streams else {
      // The reader returns the end of the empty body immediately.
      connection.phase = .body(.collected(collected(for: connection), shared.handler))
      return
    }
    guard let admit = shared.configuration.admit else {
      return takeBody(shared.handler, on: connection)
    }
    connection.phase = .judging
    deadlines.receivedEnd(connection.id)
    let id = connection.exchangeID
    connection.task = Task { @concurrent in
      let admission = await admit(request)
      await self.judged(admission, of: id)
    }
  }

  private func collected(for connection: Connection) -> CollectedBody {
    CollectedBody(
      budget: shared.budget, folder: shared.configuration.bodyFolder, cost: connection.bodyCost)
  }

  private func judged(_ admission: HTTPServer.Admission, of id: ExchangeID) {
    guard let connection = connection(of: id) else { return }
    switch admission {
    case .handle(let handler):
      deadlines.receivedHead(connection.id, at: shared.now)
      takeBody(handler, on: connection)
    case .refuse(let response): refuse(connection, with: response)
    }
    advance(connection)
  }

  private func takeBody(_ handler: @escaping HTTPServer.Handler, on connection: Connection) {
    guard var request = connection.request else { return }
    guard shared.configuration.streamsBody(request.method, request.path) else {
      connection.phase = .body(.collected(collected(for: connection), handler))
      return
    }
    let id = connection.exchangeID
    let incoming = IncomingBody { [weak self] in
      self?.perform { loop in loop.continueReading(id) }
    }
    request.incoming = incoming
    connection.incoming = incoming
    connection.phase = .body(.streamed(incoming))
    connection.task = Task { @concurrent [request] in
      let response = await handler(request)
      await self.handled(response, of: id)
    }
  }

  private func continueReading(_ id: ExchangeID) {
    guard let connection = connection(of: id) else { return }
    connection.isPaused = false
    deadlines.receivedHead(connection.id, at: shared.now)
    advance(connection)
  }

  /// Sends `100 Continue` before the first byte of the body arrives.
  func sendContinue(_ connection: Connection) {
    guard connection.owesContinue else { return }
    connection.owesContinue = false
    connection.output.append(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
  }

  /// Handles the next bytes of a body.
  func received(
    _ bytes: ArraySlice<UInt8>, for target: Connection.BodyTarget, on connection: Connection
  ) {
    connection.owesContinue = false
    connection.bodyCount += bytes.count
    deadlines.receivedBody(connection.id, bytes: bytes.count)
    guard connection.bodyCount <= connection.bodyLimit else {
      connection.incoming?.end(.failure(.tooLong))
      if case .dropped(let answer) = target { return refuse(connection, with: answer) }
      return refuse(connection, with: .tooLong(connection.bodyLimit))
    }
    switch target {
    case .collected(let body, _):
      if let refusal = body.append(bytes) { refuse(connection, with: refusal) }
    case .streamed(let body):
      connection.isPaused = !body.append(bytes)
      // The handler has no deadline.
      if connection.isPaused { deadlines.receivedEnd(connection.id) }
    case .dropped: break
    }
  }

  /// Handles the end of a request.
  func completeBody(_ target: Connection.BodyTarget, on connection: Connection) {
    deadlines.receivedEnd(connection.id)
    switch target {
    case .collected(let body, let handler):
      guard let request = connection.request else { return }
      connection.phase = .handling
      let id = connection.exchangeID
      let complete = body.complete()
      connection.task = Task(executorPreference: complete.isLarge ? shared.largeBodies : nil) {
        let response = await complete.handle { bytes in
          var request = request
          request.body = bytes
          return await handler(request)
        }
        await self.handled(response, of: id)
      }
    case .streamed(let body):
      connection.phase = .handling
      body.end()
    case .dropped(let answer): respond(connection, answer, closes: false)
    }
  }

  /// Handles a handler's answer.
  private func handled(_ response: HTTPResponse, of id: ExchangeID) {
    guard let connection = connection(of: id) else { return }
    switch connection.phase {
    case .handling: respond(connection, response, closes: false)
    case .body(.streamed(let body)):
      // The client may not read the answer before it has sent the whole body.
      connection.phase = .body(.dropped(answer: response))
      connection.isPaused = false
      body.close()
    default: return
    }
    advance(connection)
  }

  func refuse(_ connection: Connection, _ refusal: MessageFraming.Refusal) {
    if !connection.isInFlight {
      connection.isInFlight = true
      inFlight += 1
      connection.head = nil
    }
    refuse(connection, with: .refusal(status: refusal.status, refusal.reason))
  }

  /// Answers a request whose body is refused, and closes the connection after that.
  func refuse(_ connection: Connection, with response: HTTPResponse) {
    connection.owesContinue = false
    // An answer by the handler of a streamed body is now dropped.
    connection.exchange += 1
    respond(connection, response, closes: true)
  }
}
