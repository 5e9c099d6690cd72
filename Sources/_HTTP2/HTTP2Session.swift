import CNghttp2
import Glibc

/// One side of an HTTP/2 connection without a socket: bytes go in, events and bytes come out.
///
/// Not thread-safe. It answers PING and SETTINGS, keeps the flow-control windows and refuses what the
/// protocol forbids by itself; a peer's fault ends as a ``Event/closed(stream:code:)``, or the
/// session ``isFinished``.
@safe package final class HTTP2Session {
  package enum Role: Sendable { case client, server }

  package enum Event: Hashable, Sendable {
    /// A header block has come; `isLast` where no body follows.
    case headers(stream: Int32, fields: [HeaderField], isLast: Bool)
    case data(stream: Int32, bytes: [UInt8])
    /// The peer has sent all of its message.
    case end(stream: Int32)
    case closed(stream: Int32, code: HTTP2ErrorCode)
    /// The peer's settings have come; see ``HTTP2Session/remoteStreamLimit``.
    case settings
    case goAway(lastStream: Int32, code: HTTP2ErrorCode, debugData: [UInt8])
  }

  /// What the peer is told at the start.
  package struct Settings: Sendable {
    /// How many streams the peer may have open.
    package var maxConcurrentStreams: UInt32 = 100
    /// How many bytes a header block may have, of which the decoded size is counted too.
    package var maxHeaderListSize = 16 * 1024
    /// How many bytes the whole connection may have in flight to this side.
    package var connectionWindow: Int32 = 16 * 1024 * 1024
    /// The names of the header fields that have a number in events.
    package var fieldNames: [StaticString] = []
    /// Whether events carry the other fields, too.
    package var keepsOtherFields = true
    /// The number of a client's first stream, so that a test comes to the last one.
    package var firstStream: Int32 = 1
    package init() {}
  }

  /// A header larger than this is left to nghttp2, which spreads it over frames.
  private static let maxOwnHeader = 15 * 1024

  private var session: OpaquePointer?
  /// What the callbacks work on.
  private let core: UnsafeMutablePointer<SessionCore>
  /// Bytes that are no work of the library's.
  private var foreign: [UInt8] = []

  /// Starts a session and queues its preface and settings.
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

  /// Takes the first `count` bytes of what came and says what they meant.
  ///
  /// - Throws: ``HTTP2Error`` where the peer speaks no HTTP/2 or floods; close the connection then.
  package func receive(_ bytes: [UInt8], count: Int) throws(HTTP2Error) -> [Event] {
    let taken = unsafe nghttp2_session_mem_recv(session, bytes, min(count, bytes.count))
    guard taken >= 0 else { throw HTTP2Error(Int32(clamping: taken)) }
    return unsafe core.pointee.takeEvents()
  }

  /// Appends what is to be sent until the buffer holds about `limit` bytes.
  ///
  /// - Returns: What happened on the way: streams that were closed by sending.
  package func send(into buffer: inout [UInt8], upTo limit: Int) throws(HTTP2Error) -> [Event] {
    unsafe core.pointee.takeWritten(into: &buffer)
    if try write(to: &buffer, upTo: limit), !foreign.isEmpty {
      buffer += foreign
      foreign = []
    }
    return unsafe core.pointee.takeEvents()
  }

  /// Appends the library's frames, and says whether those were all.
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

  /// Whether neither side has anything left to say.
  package var isFinished: Bool {
    unsafe nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0
  }

  /// Whether a client may still open streams: not once either side gave the connection up.
  package var takesRequests: Bool { unsafe nghttp2_session_check_request_allowed(session) != 0 }

  /// Whether a client has no number left for another stream: they end at 2³¹ − 1 (RFC 9113 section 5.1.1).
  package var isUsedUp: Bool {
    unsafe nghttp2_session_get_next_stream_id(session) > UInt32(Int32.max)
  }

  /// How many streams the peer allows; `nil` where it set no limit.
  package var remoteStreamLimit: Int? {
    let limit = unsafe nghttp2_session_get_remote_settings(
      session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
    return limit == UInt32.max ? nil : Int(limit)
  }

  /// How many bytes of bodies the peer takes on all streams together, for now.
  package var remoteWindow: Int {
    Int(unsafe nghttp2_session_get_remote_window_size(session))
  }

  // MARK: Frames out

  /// Opens a stream with a whole request.
  ///
  /// - Returns: The stream's number.
  /// - Throws: ``HTTP2Error`` where no stream can be opened any more.
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
    try write(isOwn ? headers : nil, body, of: stream)
    return stream
  }

  /// Answers a request; a stream that is gone is no fault.
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
    // What ends the connection here ends it again in `send`, whose caller looks.
    try? write(isOwn ? headers : nil, body, of: stream)
  }

  /// Writes a message at once, so that neither header nor body is kept where the peer's windows have room.
  private func write(
    _ headers: HeaderBlock?, _ body: [UInt8], of stream: Int32
  ) throws(HTTP2Error) {
    unsafe core.pointee.begin(stream, headers, body)
    var written: [UInt8] = []
    unsafe swap(&written, &core.pointee.written)
    defer {
      unsafe swap(&written, &core.pointee.written)
      unsafe core.pointee.keepRest()
    }
    _ = try write(to: &written, upTo: .max)
  }

  /// Ends one stream.
  package func submitReset(stream: Int32, code: HTTP2ErrorCode) {
    unsafe nghttp2_submit_rst_stream(
      session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue)
  }

  /// Asks for a sign of life, which any peer answers (RFC 9113 section 6.7).
  package func submitPing() {
    unsafe nghttp2_submit_ping(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
  }

  /// Tells the peer a new limit of streams.
  package func submitStreamLimit(_ limit: UInt32) {
    submitSettings(streamLimit: limit, initialWindow: nil)
  }

  /// Tells the peer how much of its header fields this side remembers.
  package func submitHeaderTableSize(_ size: UInt32) {
    let entry = nghttp2_settings_entry(
      settings_id: Int32(NGHTTP2_SETTINGS_HEADER_TABLE_SIZE.rawValue), value: size)
    unsafe nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), [entry], 1)
  }

  /// Tells the peer other settings, in one frame.
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

  /// Sends bytes as they are after all that waits, for tests of what a peer makes of them.
  package func submitRaw(_ bytes: [UInt8]) { foreign += bytes }

  /// Tells the peer that streams above `lastStream`, else above the last one that came, were not and
  /// will not be processed.
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
      // nghttp2 copies what it is given and does not write to it: the casts drop `const` only.
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
