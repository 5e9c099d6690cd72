import CNghttp2

/// The state that nghttp2's callbacks change: received events and messages to send.
///
/// It is a struct behind a pointer that the session owns. Each callback would retain a class, and each access to its
/// properties would be checked for exclusivity, thousands of times in a millisecond. No method may call nghttp2,
/// because that would call back into the same value.
struct SessionCore {
  fileprivate struct Message {
    /// The header, which is removed when it is written.
    var headers: HeaderBlock?
    let body: [UInt8]
    var sent = 0
  }

  /// The bytes that were written and not sent yet.
  var written: [UInt8] = []
  private var events: [HTTP2Session.Event] = []
  private var collector: HeaderCollector
  private var compressor = HeaderCompressor()
  /// The message that is being written; most are written immediately and never wait.
  private var current: (stream: Int32, message: Message, isClosed: Bool)?
  /// The messages that wait for the peer's windows, by stream.
  private var messages = StreamTable<Message>()

  init(_ settings: HTTP2Session.Settings) {
    collector = HeaderCollector(
      maxSize: settings.maxHeaderListSize, names: settings.fieldNames,
      keepsOthers: settings.keepsOtherFields)
  }

  /// Removes and returns the events.
  ///
  /// The capacity is not kept, because after one large read it would be allocated again for every small one.
  mutating func takeEvents() -> [HTTP2Session.Event] {
    guard !events.isEmpty else { return [] }
    defer { events = [] }
    return events
  }

  // MARK: Out

  /// Moves the written bytes to a buffer.
  mutating func takeWritten(into buffer: inout [UInt8]) {
    if buffer.isEmpty {
      swap(&buffer, &written)
    } else {
      buffer += written
    }
    written.removeAll(keepingCapacity: true)
  }

  /// Begins a stream's message; `headers` is `nil` if nghttp2 writes the header.
  mutating func begin(_ stream: Int32, headers: HeaderBlock?, body: [UInt8]) {
    current = (stream, Message(headers: headers, body: body), false)
  }

  /// Keeps the current message if a part of it could not be written.
  mutating func keepUnwritten() {
    guard let (stream, message, isClosed) = current.take(), !isClosed,
      message.headers != nil || message.sent < message.body.count
    else { return }
    messages.insert(message, stream)
  }

  /// Inserts the header, which nghttp2 does not have, into the HEADERS frame that was appended last.
  ///
  /// It is not encoded earlier, because HPACK depends on the order in which headers are written.
  mutating func completeHeader(of frame: UnsafeBufferPointer<UInt8>, in buffer: inout [UInt8]) {
    // RFC 9113 section 4.1: 3 bytes of length, 1 of type, 1 of flags, 4 of the stream's number.
    guard frame.count >= 9, unsafe frame[3] == 1 else { return }
    let stream = unsafe frame[5..<9].reduce(Int32(0)) { $0 << 8 | Int32($1) }
    let start = buffer.count - frame.count
    if current?.stream == stream {
      guard let headers = current?.message.headers.take() else { return }
      compressor.append(headers, to: &buffer)
    } else {
      guard let headers = messages[stream]?.headers else { return }
      messages.update(stream) { $0.headers = nil }
      compressor.append(headers, to: &buffer)
    }
    let length = buffer.count - start - 9
    buffer[start] = UInt8(truncatingIfNeeded: length >> 16)
    buffer[start + 1] = UInt8(truncatingIfNeeded: length >> 8)
    buffer[start + 2] = UInt8(truncatingIfNeeded: length)
  }

  /// Copies as much of a body as fits; `nil` if the stream has no body, which ends the stream with an error.
  fileprivate mutating func readBody(
    stream: Int32, into buffer: UnsafeMutableBufferPointer<UInt8>
  ) -> (count: Int, isLast: Bool)? {
    if current?.stream == stream { return unsafe current?.message.copyNext(into: buffer) }
    var part: (count: Int, isLast: Bool)?
    messages.update(stream) { part = unsafe $0.copyNext(into: buffer) }
    if part?.isLast == true { messages.remove(stream) }
    return part
  }

  // MARK: In

  fileprivate mutating func receiveFrame(_ frame: nghttp2_frame) {
    let header = unsafe frame.hd
    let isLast = header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
    switch UInt32(header.type) {
    case NGHTTP2_HEADERS.rawValue:
      events.append(
        .headers(stream: header.stream_id, fields: collector.endBlock(), isLast: isLast))
      if isLast { events.append(.end(stream: header.stream_id)) }
    case NGHTTP2_DATA.rawValue where isLast:
      events.append(.end(stream: header.stream_id))
    case NGHTTP2_SETTINGS.rawValue
    where header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0:
      for index in 0..<Int(unsafe frame.settings.niv) {
        guard let entry = unsafe frame.settings.iv?[index] else { break }
        if entry.settings_id == Int32(NGHTTP2_SETTINGS_HEADER_TABLE_SIZE.rawValue) {
          compressor.maxSize = min(HeaderCompressor.defaultSize, Int(entry.value))
        }
      }
      events.append(.settings)
    case NGHTTP2_PING.rawValue where header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0:
      events.append(.pong)
    case NGHTTP2_GOAWAY.rawValue:
      let goAway = unsafe frame.goaway
      let debugData = unsafe UnsafeBufferPointer(
        start: goAway.opaque_data, count: goAway.opaque_data_len)
      events.append(
        unsafe .goAway(
          lastStream: goAway.last_stream_id, code: HTTP2ErrorCode(rawValue: goAway.error_code),
          debugData: Array(debugData.prefix(1024))))
    default: break
    }
  }

  fileprivate mutating func receiveData(stream: Int32, _ bytes: UnsafeBufferPointer<UInt8>) {
    events.append(.data(stream: stream, bytes: unsafe Array(bytes)))
  }

  fileprivate mutating func closed(stream: Int32, code: UInt32) {
    // The library may still write the last frame of the stream.
    if current?.stream == stream { current?.isClosed = true }
    messages.remove(stream)
    events.append(.closed(stream: stream, code: HTTP2ErrorCode(rawValue: code)))
  }
}

extension SessionCore.Message {
  fileprivate mutating func copyNext(
    into buffer: UnsafeMutableBufferPointer<UInt8>
  ) -> (count: Int, isLast: Bool) {
    let count = min(buffer.count, body.count - sent)
    unsafe body.withUnsafeBufferPointer { source in
      _ = unsafe buffer.update(
        fromContentsOf: UnsafeBufferPointer(rebasing: source[sent..<sent + count]))
    }
    sent += count
    return (count, sent == body.count)
  }
}

// MARK: Callbacks

extension SessionCore {
  /// The core of a callback's session.
  private static func of(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Self>? {
    unsafe context?.assumingMemoryBound(to: Self.self)
  }

  static func bodyProvider() -> nghttp2_data_provider {
    unsafe nghttp2_data_provider(
      source: nghttp2_data_source(),
      read_callback: { _, stream, buffer, length, flags, _, context in
        let bytes = unsafe UnsafeMutableBufferPointer(start: buffer, count: length)
        guard let flags = unsafe flags, let core = unsafe SessionCore.of(context),
          let part = unsafe core.pointee.readBody(stream: stream, into: bytes)
        else { return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
        if part.isLast { unsafe flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        return part.count
      })
  }

  static func install(_ callbacks: OpaquePointer?) {
    unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, _, context in
      unsafe SessionCore.of(context)?.pointee.collector.begin()
      return 0
    }
    unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks) {
      _, _, name, nameLength, value, valueLength, _, context in
      let isAdded = unsafe SessionCore.of(context)?.pointee.collector.add(
        name: UnsafeBufferPointer(start: name, count: nameLength),
        value: UnsafeBufferPointer(start: value, count: valueLength))
      return isAdded == true ? 0 : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    }
    unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, context in
      guard let frame = unsafe frame else { return 0 }
      unsafe SessionCore.of(context)?.pointee.receiveFrame(frame.pointee)
      return 0
    }
    unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
      _, _, stream, bytes, count, context in
      unsafe SessionCore.of(context)?.pointee.receiveData(
        stream: stream, UnsafeBufferPointer(start: bytes, count: count))
      return 0
    }
    unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) {
      _, stream, code, context in
      unsafe SessionCore.of(context)?.pointee.closed(stream: stream, code: code)
      return 0
    }
  }
}
