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
    /// The names of the header fields that events carry, where not all are read; `nil` for all.
    package var fieldNames: [StaticString]?
    package init() {}
  }

  private struct Message {
    /// The header of a request, until it is written.
    var headers: HeaderBlock?
    let body: [UInt8]
    var sent = 0
  }

  /// A header larger than this is left to nghttp2, which spreads it over frames.
  private static let maxOwnHeader = 15 * 1024

  private var session: OpaquePointer?
  private var events: [Event] = []
  private var fields: [HeaderField] = []
  /// The fields of the block before, and how many of this block's first were the same: answers are
  /// alike, and then share theirs.
  private var lastFields: [HeaderField] = []
  private var sameCount = 0
  private var fieldBytes = 0
  private let maxHeaderListSize: Int
  private let fieldNames: [StaticString]?
  private var messages = StreamTable<Message>()
  private var compressor = HeaderCompressor()
  private let role: Role
  private var vectors: [nghttp2_nv] = unsafe []
  /// Bytes that are no work of the library's.
  private var foreign: [UInt8] = []
  /// Requests that are written and wait for ``send(into:upTo:)``.
  private var written: [UInt8] = []

  /// Starts a session and queues its preface and settings.
  package init(_ role: Role, settings: Settings = Settings()) throws(HTTP2Error) {
    self.role = role
    maxHeaderListSize = settings.maxHeaderListSize
    fieldNames = settings.fieldNames
    var callbacks: OpaquePointer?
    guard unsafe nghttp2_session_callbacks_new(&callbacks) == 0 else {
      throw HTTP2Error(NGHTTP2_ERR_NOMEM.rawValue)
    }
    defer { unsafe nghttp2_session_callbacks_del(callbacks) }
    unsafe installCallbacks(callbacks)
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    let result =
      switch role {
      case .client: unsafe nghttp2_session_client_new(&session, callbacks, context)
      case .server: unsafe nghttp2_session_server_new(&session, callbacks, context)
      }
    guard result == 0 else { throw HTTP2Error(result) }
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

  deinit { unsafe nghttp2_session_del(session) }

  // MARK: Bytes

  /// Takes the first `count` bytes of what came and says what they meant.
  ///
  /// - Throws: ``HTTP2Error`` where the peer speaks no HTTP/2 or floods; close the connection then.
  package func receive(_ bytes: [UInt8], count: Int) throws(HTTP2Error) -> [Event] {
    let taken = unsafe nghttp2_session_mem_recv(session, bytes, min(count, bytes.count))
    guard taken >= 0 else { throw HTTP2Error(Int32(clamping: taken)) }
    return takeEvents()
  }

  /// Appends what is to be sent until the buffer holds about `limit` bytes.
  ///
  /// - Returns: What happened on the way: streams that were closed by sending.
  package func send(into buffer: inout [UInt8], upTo limit: Int) throws(HTTP2Error) -> [Event] {
    if buffer.isEmpty {
      swap(&buffer, &written)
    } else {
      buffer += written
    }
    written.removeAll(keepingCapacity: true)
    if try write(to: &buffer, upTo: limit), !foreign.isEmpty {
      buffer += foreign
      foreign = []
    }
    return takeEvents()
  }

  /// Appends the library's frames, and says whether those were all.
  private func write(to buffer: inout [UInt8], upTo limit: Int) throws(HTTP2Error) -> Bool {
    while buffer.count < limit {
      var start: UnsafePointer<UInt8>?
      let count = unsafe nghttp2_session_mem_send(session, &start)
      guard count >= 0 else { throw HTTP2Error(Int32(clamping: count)) }
      guard count > 0 else { return true }
      unsafe append(UnsafeBufferPointer(start: start, count: count), to: &buffer)
    }
    return false
  }

  /// Appends a frame; a request's header, which nghttp2 was not given, is put into its frame here, as
  /// HPACK depends on the order of writing.
  private func append(_ frame: UnsafeBufferPointer<UInt8>, to buffer: inout [UInt8]) {
    let start = buffer.count
    unsafe buffer.append(contentsOf: frame)
    // RFC 9113 section 4.1: 3 bytes of length, type, flags, 4 bytes of stream.
    guard role == .client, frame.count >= 9, buffer[start + 3] == 1 else { return }
    let stream = buffer[start + 5..<start + 9].reduce(Int32(0)) { $0 << 8 | Int32($1) }
    guard let headers = messages[stream]?.headers else { return }
    messages.update(stream) { $0.headers = nil }
    compressor.append(headers, to: &buffer)
    let length = buffer.count - start - 9
    buffer[start] = UInt8(truncatingIfNeeded: length >> 16)
    buffer[start + 1] = UInt8(truncatingIfNeeded: length >> 8)
    buffer[start + 2] = UInt8(truncatingIfNeeded: length)
  }

  /// Gives the array away.
  ///
  /// Keeping its capacity would allocate as much anew for every small read after one large one.
  private func takeEvents() -> [Event] {
    guard !events.isEmpty else { return [] }
    defer { events = [] }
    return events
  }

  /// Whether neither side has anything left to say.
  package var isFinished: Bool {
    unsafe nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0
  }

  /// Whether a client may still open streams: not once either side gave the connection up.
  package var takesRequests: Bool { unsafe nghttp2_session_check_request_allowed(session) != 0 }

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
      var provider = unsafe bodyProvider()
      return unsafe body.isEmpty
        ? nghttp2_submit_request(self.session, nil, vectors, count, nil, nil)
        : nghttp2_submit_request(self.session, nil, vectors, count, &provider, nil)
    }
    let stream = unsafe isOwn ? submit(nil, 0) : self.submit(headers, mayIndex: false, submit)
    guard stream > 0 else { throw HTTP2Error(stream) }
    messages.insert(Message(headers: isOwn ? headers : nil, body: body), stream)
    // At once, so that neither header nor body is kept where the peer's windows have room.
    var written: [UInt8] = []
    swap(&written, &self.written)
    defer { swap(&written, &self.written) }
    _ = try write(to: &written, upTo: .max)
    return stream
  }

  /// Answers a request; a stream that is gone is no fault.
  package func submitResponse(stream: Int32, _ headers: HeaderBlock, body: [UInt8] = []) {
    let result = unsafe submit(headers) { vectors, count in
      guard !body.isEmpty else {
        return unsafe nghttp2_submit_response(session, stream, vectors, count, nil)
      }
      var provider = unsafe bodyProvider()
      return unsafe nghttp2_submit_response(session, stream, vectors, count, &provider)
    }
    if result == 0, !body.isEmpty { messages.insert(Message(body: body), stream) }
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
    _ headers: HeaderBlock, mayIndex: Bool = true,
    _ body: (UnsafePointer<nghttp2_nv>?, Int) -> Int32
  ) -> Int32 {
    // Taken out while it is filled: each access to a property of a class is checked.
    var vectors: [nghttp2_nv] = unsafe []
    unsafe swap(&vectors, &self.vectors)
    defer { unsafe swap(&vectors, &self.vectors) }
    unsafe vectors.removeAll(keepingCapacity: true)
    let headers = headers.flattened
    return unsafe headers.bytes.withUnsafeBufferPointer { bytes in
      // nghttp2 copies what it is given and does not write to it: the cast drops `const` only.
      var next = unsafe UnsafeMutablePointer(mutating: bytes.baseAddress)
      for entry in headers.entries {
        let value = unsafe next.map { unsafe $0 + entry.nameLength }
        let flags = entry.isIndexed && mayIndex ? NGHTTP2_NV_FLAG_NONE : NGHTTP2_NV_FLAG_NO_INDEX
        unsafe vectors.append(
          nghttp2_nv(
            name: next, value: value, namelen: entry.nameLength, valuelen: entry.valueLength,
            flags: UInt8(flags.rawValue)))
        unsafe next = value.map { unsafe $0 + entry.valueLength }
      }
      return unsafe body(vectors, vectors.count)
    }
  }
}

extension String {
  /// Whether it has these bytes; its own comparison with a sequence looks at one after the other.
  fileprivate func equals(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard utf8.count == bytes.count else { return false }
    guard let other = bytes.baseAddress else { return true }
    let isEqual = unsafe utf8.withContiguousStorageIfAvailable { own in
      unsafe own.baseAddress.map { unsafe memcmp($0, other, bytes.count) == 0 }
    }
    return unsafe isEqual.flatMap { $0 } ?? utf8.elementsEqual(bytes)
  }
}

extension StaticString {
  fileprivate func equals(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    utf8CodeUnitCount == bytes.count && withUTF8Buffer { unsafe $0.elementsEqual(bytes) }
  }
}

// MARK: Callbacks

extension HTTP2Session {
  fileprivate func beginHeaders() {
    fields = []
    sameCount = 0
    fieldBytes = 0
  }

  /// One field has come; `false` ends the stream.
  fileprivate func receiveField(
    name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    // RFC 9113 section 6.5.2 counts 32 bytes more for each field.
    fieldBytes += name.count + value.count + 32
    guard fieldBytes <= maxHeaderListSize else { return false }
    if let fieldNames, !fieldNames.contains(where: { unsafe $0.equals(name) }) { return true }
    if fields.isEmpty, sameCount < lastFields.count,
      unsafe lastFields[sameCount].name.equals(name),
      unsafe lastFields[sameCount].value.equals(value)
    {
      sameCount += 1
      return true
    }
    if fields.isEmpty { fields = Array(lastFields.prefix(sameCount)) }
    fields.append(
      unsafe HeaderField(
        String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
    return true
  }

  fileprivate func receiveFrame(_ frame: nghttp2_frame) {
    let header = unsafe frame.hd
    let isLast = header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
    switch UInt32(header.type) {
    case NGHTTP2_HEADERS.rawValue:
      if fields.isEmpty {
        fields = sameCount == lastFields.count ? lastFields : Array(lastFields.prefix(sameCount))
      }
      lastFields = fields
      events.append(.headers(stream: header.stream_id, fields: fields, isLast: isLast))
      fields = []
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

  fileprivate func receiveData(stream: Int32, _ bytes: UnsafeBufferPointer<UInt8>) {
    events.append(.data(stream: stream, bytes: unsafe Array(bytes)))
  }

  fileprivate func closed(stream: Int32, code: UInt32) {
    messages.remove(stream)
    events.append(.closed(stream: stream, code: HTTP2ErrorCode(rawValue: code)))
  }

  /// Copies what fits of a body; `nil` where there is none, which ends the stream with an error.
  fileprivate func readBody(
    stream: Int32, into buffer: UnsafeMutableBufferPointer<UInt8>
  ) -> (count: Int, isLast: Bool)? {
    guard let message = messages[stream] else { return nil }
    let count = min(buffer.count, message.body.count - message.sent)
    unsafe message.body.withUnsafeBufferPointer { source in
      _ = unsafe buffer.update(
        fromContentsOf: UnsafeBufferPointer(
          rebasing: source[message.sent..<message.sent + count]))
    }
    let isLast = message.sent + count == message.body.count
    if isLast { messages.remove(stream) } else { messages.update(stream) { $0.sent += count } }
    return (count, isLast)
  }
}

private func owner(_ context: UnsafeMutableRawPointer?) -> HTTP2Session? {
  unsafe context.map { unsafe Unmanaged<HTTP2Session>.fromOpaque($0).takeUnretainedValue() }
}

private func bodyProvider() -> nghttp2_data_provider {
  unsafe nghttp2_data_provider(
    source: nghttp2_data_source(),
    read_callback: { _, stream, buffer, length, flags, _, context in
      guard let session = unsafe owner(context), let flags = unsafe flags,
        let part = unsafe session.readBody(
          stream: stream, into: UnsafeMutableBufferPointer(start: buffer, count: length))
      else { return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
      if part.isLast { unsafe flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
      return part.count
    })
}

private func installCallbacks(_ callbacks: OpaquePointer?) {
  unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, _, context in
    unsafe owner(context)?.beginHeaders()
    return 0
  }
  unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks) {
    _, _, name, nameLength, value, valueLength, _, context in
    let isTaken = unsafe owner(context)?.receiveField(
      name: UnsafeBufferPointer(start: name, count: nameLength),
      value: UnsafeBufferPointer(start: value, count: valueLength))
    return isTaken == true ? 0 : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
  }
  unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, context in
    if let frame = unsafe frame { unsafe owner(context)?.receiveFrame(frame.pointee) }
    return 0
  }
  unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
    _, _, stream, bytes, count, context in
    unsafe owner(context)?.receiveData(
      stream: stream, UnsafeBufferPointer(start: bytes, count: count))
    return 0
  }
  unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) {
    _, stream, code, context in
    unsafe owner(context)?.closed(stream: stream, code: code)
    return 0
  }
}
