extension ConnectionLoop {
  /// Begins to send an answer.
  func respond(_ connection: Connection, _ response: HTTPResponse, closes: Bool) {
    let (method, version) = (connection.head?.method, connection.head?.version)
    connection.phase = .answering
    connection.keepsAlive = connection.keepsAlive && !closes && !isRefusing
    var (response, body) = (response, [] as [UInt8])
    var outgoing: OutgoingBody?
    var length = ResponseHead.Length.bytes(0)
    switch response.body.source {
    case .bytes(let bytes): (body, length) = (bytes, .bytes(bytes.count))
    case .file(let path):
      // A condition that cannot be checked means the whole file (RFC 9110, section 13.1.5).
      let isConditional = connection.head?.header("If-Range") != nil
      let range = isConditional ? nil : connection.head?.header("Range")
      (outgoing, length) = file(path, range: range, of: &response)
      if let bytes = response.body.bytes { (body, length) = (bytes, .bytes(bytes.count)) }
    case .stream:
      let isChunked = version != "HTTP/1.0"
      outgoing = .stream(isChunked: isChunked)
      length = isChunked ? .chunked : .untilClose
      if !isChunked { connection.keepsAlive = false }
    }
    let closes = !connection.keepsAlive
    guard
      let head = ResponseHead.bytes(response, length: length, closes: closes, date: date())
    else {
      // A header of the answer would break the framing.
      let fallback = HTTPResponse(status: 500)
      connection.output.append(
        ResponseHead.bytes(fallback, length: .bytes(0), closes: closes, date: date()) ?? [])
      return
    }
    connection.output.append(head)
    deadlines.sending(connection.id, at: shared.now)
    guard method != "HEAD", ![204, 304].contains(response.status) else { return }
    connection.output.append(body)
    guard case .stream(let chunks) = response.body.source else {
      connection.outgoing = outgoing
      return
    }
    guard !isRefusing else {
      // A stopping server ends the new stream at once.
      if version != "HTTP/1.0" { connection.output.append(Self.lastChunk) }
      return
    }
    connection.outgoing = outgoing
    pump(chunks, to: connection)
  }

  /// Prepares the answer with a file or with the part that `Range` requests, and sets its status and headers.
  private func file(
    _ path: String, range: String?, of response: inout HTTPResponse
  ) -> (OutgoingBody?, ResponseHead.Length) {
    guard let file = OpenFile(path) else {
      response = .refusal(status: 404, "there is no such file")
      return (nil, .bytes(0))
    }
    response.headers.append((name: "Accept-Ranges", value: "bytes"))
    switch ByteRange(response.status == 200 ? range : nil, size: file.size) {
    case .whole: return (.file(file, left: 0..<file.size), .bytes(file.size))
    case .unsatisfiable:
      response.status = 416
      response.headers.append((name: "Content-Range", value: "bytes */\(file.size)"))
      return (nil, .bytes(0))
    case .part(let part):
      response.status = 206
      let value = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.size)"
      response.headers.append((name: "Content-Range", value: value))
      return (.file(file, left: part), .bytes(part.count))
    }
  }

  /// Sends the waiting output, as much as the socket accepts.
  ///
  /// - Returns: Whether a whole answer was sent.
  func flush(_ connection: Connection) throws -> Bool {
    let exchange = connection.exchange
    while connections[connection.id] != nil {
      guard let (bytes, from) = connection.output.next else {
        guard try refill(connection) else { return connection.exchange != exchange }
        continue
      }
      guard let count = try connection.transport.write(bytes, from: from) else { return false }
      connection.output.sent(count)
      if case .answering = connection.phase { deadlines.sending(connection.id, at: shared.now) }
    }
    return false
  }

  /// Puts the next part of the answer's body into the output.
  ///
  /// - Returns: Whether there is more output.
  private func refill(_ connection: Connection) throws -> Bool {
    guard case .answering = connection.phase else { return false }
    switch connection.outgoing {
    case .file(let file, let left):
      guard !left.isEmpty else {
        connection.outgoing = nil
        return true
      }
      guard let bytes = file.read(left) else {
        // The file has become shorter than the announced length.
        close(connection)
        return false
      }
      connection.outgoing = .file(file, left: (left.lowerBound + bytes.count)..<left.upperBound)
      connection.output.append(bytes)
      return true
    case .stream:
      deadlines.receivedEnd(connection.id)
      connection.drained?.resume()
      connection.drained = nil
      return false
    case nil:
      complete(connection)
      return false
    }
  }

  /// Ends the exchange after its answer was sent.
  private func complete(_ connection: Connection) {
    endExchange(connection)
    connection.head = nil
    guard connection.keepsAlive else {
      connection.transport.endSending()
      connection.phase = .lingering(left: shared.configuration.lingerLimit)
      deadlines.lingering(connection.id, at: shared.now)
      return
    }
    connection.phase = .head
    connection.idleSince = shared.now
    deadlines.answered(connection.id, at: shared.now)
  }

  // MARK: Streams

  private static let lastChunk = Array("0\r\n\r\n".utf8)

  /// Reads a chunk from the stream whenever the connection has sent the previous one.
  private func pump(_ chunks: AsyncStream<[UInt8]>, to connection: Connection) {
    let id = connection.exchangeID
    connection.pump = Task { [weak self] in
      // The pump is cancelled after the answer has ended, so that reading the next chunk ends the stream.
      for await chunk in chunks where !chunk.isEmpty { await self?.send(chunk, on: id) }
      await self?.endStream(id)
    }
  }

  /// Returns when the chunk was sent or the answer has ended.
  private func send(_ chunk: [UInt8], on id: ExchangeID) async {
    guard let connection = connection(of: id),
      case .stream(let isChunked) = connection.outgoing
    else { return }
    if isChunked {
      connection.output.append(Array((String(chunk.count, radix: 16) + "\r\n").utf8))
      connection.output.append(chunk)
      connection.output.append([0x0d, 0x0a])
    } else {
      connection.output.append(chunk)
    }
    deadlines.sending(connection.id, at: shared.now)
    await withCheckedContinuation { continuation in
      connection.drained = continuation
      advance(connection)
    }
  }

  /// Ends a streamed answer, because the stream has ended or the server stops.
  func endStream(_ id: ExchangeID) {
    guard let connection = connection(of: id),
      case .stream(let isChunked) = connection.outgoing
    else { return }
    if isChunked { connection.output.append(Self.lastChunk) }
    connection.outgoing = nil
    connection.pump?.cancel()
    connection.drained?.resume()
    connection.drained = nil
    advance(connection)
  }
}
