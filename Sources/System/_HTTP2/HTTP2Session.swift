import CNghttp2
import Glibc

/// One side of an HTTP/2 connection without a socket, which takes bytes and returns events and bytes.
///
/// It is not thread-safe. It answers PING and SETTINGS, keeps the flow-control windows, and refuses what the protocol
/// forbids. An error of the peer ends the stream, with ``Event/closed(stream:code:)``, or the session, which is then
/// ``isFinished``.
@safe package final class HTTP2Session {
  package enum Role: Sendable { case client, server }

  package enum Event: Hashable, Sendable {
    /// A header block has arrived; no body follows if `isLast` is true.
    case headers(stream: Int32, fields: [HeaderField], isLast: Bool)
    case data(stream: Int32, bytes: [UInt8])
    /// The peer has sent its whole message.
    case end(stream: Int32)
    case closed(stream: Int32, code: HTTP2ErrorCode)
    /// The peer's settings have arrived; see ``HTTP2Session/remoteStreamLimit``.
    case settings
    /// The peer has answered a PING.
    case pong
    case goAway(lastStream: Int32, code: HTTP2ErrorCode, debugData: [UInt8])
  }

  /// The settings of a session.
  package struct Settings: Sendable {
    /// The most streams that the peer of a server can have open.
    package var maxConcurrentStreams: UInt32 = 100
    /// The most bytes of a header block, counted as in RFC 9113 section 6.5.2.
    package var maxHeaderListSize = 16 * 1024
    /// The most unread bytes of bodies on all streams that the peer may send.
    package var connectionWindow: Int32 = 16 * 1024 * 1024
    /// The names of the header fields that have a number in events; see ``HeaderField/number``.
    package var fieldNames: [StaticString] = []
    /// Whether events also have the other header fields.
    package var keepsOtherFields = true
    /// The number of a client's first stream, which a test sets to reach the last one.
    package var firstStream: Int32 = 1
    package init() {}
  }

  /// The most bytes of a header that is compressed here; nghttp2 compresses larger ones and splits them into frames.
  private static let maxOwnHeader = 15 * 1024

  private var session: OpaquePointer?
  /// The state that nghttp2's callbacks change.
  private let core: UnsafeMutablePointer<SessionCore>
  /// Bytes of ``submitRaw(_:)`` that were not sent yet.
  private var raw: [UInt8] = []

  /// Makes a session and queues its preface and settings.
  package init(_ role: Role, settings: Settings = Settings()) throws(HTTP2Error) {
    unsafe core = .allocate(capacity: 1)
    unsafe core.initialize(to: SessionCore(settings))
    var callbacks: OpaquePointer?
    guard unsafe nghttp2_session_callbacks_new(&callbacks) == 0 else {
      throw HTTP2Error(NGHTTP2_ERR_NOMEM.rawValue)
    }
    defer { unsafe nghttp2_session_callbacks_del(callbacks) }
    unsafe SessionCore.install(callbacks)
    let result =
      switch role {
      case .client: unsafe nghttp2_session_client_new(&session, callbacks, core)
      case .server: unsafe nghttp2_session_server_new(&session, callbacks, core)
      }
    guard result == 0 else { throw HTTP2Error(result) }
    if case .client = role {
      unsafe nghttp2_session_set_next_stream_id(session, settings.firstStream)
    }
    var entries = [
      nghttp2_settings_entry(
        settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue),
        value: UInt32(clamping: settings.maxHeaderListSize))
    ]
    switch role {
    case .client:
      entries.append(
        nghttp2_settings_entry(
          settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0))
    case .server:
      entries.append(
        nghttp2_settings_entry(
          settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue),
          value: settings.maxConcurrentStreams))
    }
    unsafe nghttp2_submit_settings(
      session, UInt8(NGHTTP2_FLAG_NONE.rawValue), entries, entries.count)
    unsafe nghttp2_session_set_local_window_size(
      session, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, settings.connectionWindow)
  }

  deinit {
    unsafe nghttp2_session_del(session)
    unsafe core.deinitialize(count: 1)
    unsafe core.deallocate()
  }

  // MARK: Bytes

  /// Receives the first `count` bytes of a buffer.
  ///
  /// - Returns: The events.
  /// - Throws: ``HTTP2Error`` if the peer does not speak HTTP/2 or floods; the connection must then be closed.
  package func receive(_ bytes: [UInt8], count: Int) throws(HTTP2Error) -> [Event] {
    let taken = unsafe nghttp2_session_mem_recv(session, bytes, min(count, bytes.count))
    guard taken >= 0 else { throw HTTP2Error(Int32(clamping: taken)) }
    return unsafe core.pointee.takeEvents()
  }

  /// Appends bytes to send until the buffer has about `limit` bytes.
  ///
  /// - Returns: The events caused by sending, such as closed streams.
  package func send(into buffer: inout [UInt8], upTo limit: Int) throws(HTTP2Error) -> [Event] {
    unsafe core.pointee.takeWritten(into: &buffer)
    if try write(to: &buffer, upTo: limit), !raw.isEmpty {
      buffer += raw
      raw = []
    }
    return unsafe core.pointee.takeEvents()
  }

  /// Appends the library's frames, and returns whether no frames are left.
  private func write(to buffer: inout [UInt8], upTo limit: Int) throws(HTTP2Error) -> Bool {
    while buffer.count < limit {
      var start: UnsafePointer<UInt8>?
      let count = unsafe nghttp2_session_mem_send(session, &start)
      guard count >= 0 else { throw HTTP2Error(Int32(clamping: count)) }
      guard count > 0 else { return true }
      let frame = unsafe UnsafeBufferPointer(start: start, count: count)
      unsafe buffer.append(contentsOf: frame)
      unsafe core.pointee.completeHeader(of: frame, in: &buffer)
    }
    return false
  }

  /// Whether nothing is left to be read or written.
  package var isFinished: Bool {
    unsafe nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0
  }

  /// Whether a client may still open streams, which is not the case after GOAWAY from either side.
  package var takesRequests: Bool { unsafe nghttp2_session_check_request_allowed(session) != 0 }

  /// Whether a client has used all stream numbers, which end at 2³¹ − 1 (RFC 9113 section 5.1.1).
  package var isUsedUp: Bool {
    unsafe nghttp2_session_get_next_stream_id(session) > UInt32(Int32.max)
  }

  /// The number of streams that the peer allows; `nil` if it sets no limit.
  package var remoteStreamLimit: Int? {
    let limit = unsafe nghttp2_session_get_remote_settings(
      session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
    return limit == UInt32.max ? nil : Int(limit)
  }

  /// The bytes of bodies that the peer currently accepts on all streams together.
  package var remoteWindow: Int {
    Int(unsafe nghttp2_session_get_remote_window_size(session))
  }

  // MARK: Frames out

  /// Opens a stream with a complete request.
  ///
  /// - Returns: The stream's number.
  /// - Throws: ``HTTP2Error`` if no more streams can be opened.
  package func submitRequest(
    _ headers: HeaderBlock, body: [UInt8]
  ) throws(HTTP2Error) -> Int32 {
    let isOwn = headers.byteCount <= Self.maxOwnHeader
    let submit = { (vectors: UnsafePointer<nghttp2_nv>?, count: Int) in
      var provider = unsafe SessionCore.bodyProvider()
      return unsafe body.isEmpty
        ? nghttp2_submit_request(self.session, nil, vectors, count, nil, nil)
        : nghttp2_submit_request(self.session, nil, vectors, count, &provider, nil)
    }
    let stream = unsafe isOwn ? submit(nil, 0) : self.submit(headers, submit)
    guard stream > 0 else { throw HTTP2Error(stream) }
    try write(isOwn ? headers : nil, body: body, of: stream)
    return stream
  }

  /// Answers a request; does nothing if the stream was closed.
  package func submitResponse(stream: Int32, _ headers: HeaderBlock, body: [UInt8] = []) {
    guard unsafe nghttp2_session_get_stream_local_close(session, stream) == 0 else { return }
    let isOwn = headers.byteCount <= Self.maxOwnHeader
    let submit = { (vectors: UnsafePointer<nghttp2_nv>?, count: Int) in
      var provider = unsafe SessionCore.bodyProvider()
      return unsafe body.isEmpty
        ? nghttp2_submit_response(self.session, stream, vectors, count, nil)
        : nghttp2_submit_response(self.session, stream, vectors, count, &provider)
    }
    let result = unsafe isOwn ? submit(nil, 0) : self.submit(headers, submit)
    guard result == 0 else { return }
    // `send` throws an error that ends the connection again, and its caller handles it.
    try? write(isOwn ? headers : nil, body: body, of: stream)
  }

  /// Writes a message immediately, so that header and body are kept only if the peer's windows have no room.
  private func write(
    _ headers: HeaderBlock?, body: [UInt8], of stream: Int32
  ) throws(HTTP2Error) {
    unsafe core.pointee.begin(stream, headers: headers, body: body)
    var written: [UInt8] = []
    unsafe swap(&written, &core.pointee.written)
    defer {
      unsafe swap(&written, &core.pointee.written)
      unsafe core.pointee.keepUnwritten()
    }
    _ = try write(to: &written, upTo: .max)
  }

  /// Resets a stream (RST_STREAM).
  package func submitReset(stream: Int32, code: HTTP2ErrorCode) {
    unsafe nghttp2_submit_rst_stream(
      session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue)
  }

  /// Sends PING, which every peer must answer (RFC 9113 section 6.7).
  package func submitPing() {
    unsafe nghttp2_submit_ping(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
  }

  /// Sends a new limit for streams (SETTINGS_MAX_CONCURRENT_STREAMS).
  package func submitStreamLimit(_ limit: UInt32) {
    submitSettings(streamLimit: limit, initialWindow: nil)
  }

  /// Sends the size of this side's HPACK table (SETTINGS_HEADER_TABLE_SIZE).
  package func submitHeaderTableSize(_ size: UInt32) {
    let entry = nghttp2_settings_entry(
      settings_id: Int32(NGHTTP2_SETTINGS_HEADER_TABLE_SIZE.rawValue), value: size)
    unsafe nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), [entry], 1)
  }

  /// Sends the settings that are not `nil` in one frame.
  package func submitSettings(streamLimit: UInt32?, initialWindow: UInt32?) {
    let values = [
      (NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, streamLimit),
      (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, initialWindow),
    ]
    let entries = values.compactMap { id, value in
      value.map { nghttp2_settings_entry(settings_id: Int32(id.rawValue), value: $0) }
    }
    unsafe nghttp2_submit_settings(
      session, UInt8(NGHTTP2_FLAG_NONE.rawValue), entries, entries.count)
  }

  /// Sends bytes unchanged after everything that is queued, to test how a peer handles them.
  package func submitRaw(_ bytes: [UInt8]) { raw += bytes }

  /// Sends GOAWAY; streams above `lastStream`, or by default above the last one received, are not processed.
  package func submitGoAway(
    lastStream: Int32? = nil, code: HTTP2ErrorCode = .noError, debugData: [UInt8] = []
  ) {
    let last = unsafe lastStream ?? nghttp2_session_get_last_proc_stream_id(session)
    unsafe nghttp2_submit_goaway(
      session, UInt8(NGHTTP2_FLAG_NONE.rawValue), last, code.rawValue, debugData, debugData.count)
  }

  private func submit(
    _ headers: HeaderBlock, _ body: (UnsafePointer<nghttp2_nv>?, Int) -> Int32
  ) -> Int32 {
    var vectors: [nghttp2_nv] = unsafe []
    let headers = headers.flattened
    return unsafe headers.bytes.withUnsafeBufferPointer { bytes in
      // nghttp2 copies the bytes and does not write to them, so the casts only drop `const`.
      var next = unsafe UnsafeMutablePointer(mutating: bytes.baseAddress)
      for entry in headers.entries {
        var name = unsafe entry.name.map { unsafe UnsafeMutablePointer(mutating: $0.utf8Start) }
        if unsafe name == nil {
          unsafe name = next
          unsafe next = next.map { unsafe $0 + entry.nameLength }
        }
        unsafe vectors.append(
          nghttp2_nv(
            name: name, value: next, namelen: entry.nameLength, valuelen: entry.valueLength,
            flags: UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue)))
        unsafe next = next.map { unsafe $0 + entry.valueLength }
      }
      return unsafe body(vectors, vectors.count)
    }
  }
}
