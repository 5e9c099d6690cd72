import CMicroHTTPD
import Glibc

/// Queues the response of an exchange on its connection.
///
/// libmicrohttpd allows this only inside `requestContinued`.
///
/// `close` says whether the connection is closed after the response.
func queue(
  _ response: HTTPResponse, of exchange: Exchange, on connection: OpaquePointer, close: Bool
) -> MHD_Result {
  var response = response
  let object: ResponseObject?
  switch response.body.source {
  case .bytes(let bytes):
    object = .memory([204, 304].contains(response.status) ? [] : bytes)
  case .file(let path):
    object = unsafe .file(path, of: connection, answering: &response)
  case .stream(let chunks):
    let body = StreamedBody(chunks)
    exchange.setStream(body)
    object = unsafe .stream(body, on: connection)
  }
  if close { response.headers.append((name: "Connection", value: "close")) }
  if let object, object.add(response.headers) {
    return unsafe MHD_queue_response(connection, UInt32(response.status), object.response)
  }
  // Without memory, or with a header that would break the framing, the answer is a plain 500.
  guard let fallback = ResponseObject.memory([]) else { return .NO }
  return unsafe MHD_queue_response(connection, 500, fallback.response)
}

/// An owned `MHD_Response`.
///
/// A connection that sends the response holds a reference of its own, so `deinit` releases ours.
@safe private struct ResponseObject: ~Copyable {
  let response: OpaquePointer

  private init?(owning response: OpaquePointer?) {
    guard let response = unsafe response else { return nil }
    unsafe self.response = unsafe response
  }

  deinit { unsafe MHD_destroy_response(response) }

  static func memory(_ bytes: [UInt8]) -> ResponseObject? {
    let object = unsafe bytes.withUnsafeBytes {
      // The library copies the bytes at once, but declares the pointer mutable.
      unsafe MHD_create_response_from_buffer(
        $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
    }
    return unsafe ResponseObject(owning: object)
  }

  /// Makes the response of a file, or of the part that `Range` asks for, and sets the status and
  /// headers of `response` to match.
  static func file(
    _ path: String, of connection: OpaquePointer, answering response: inout HTTPResponse
  ) -> ResponseObject? {
    guard let file = OpenFile(path) else {
      response = .refusal(status: 404, "there is no such file")
      return .memory(Array("{\"error\":\"there is no such file\"}".utf8))
    }
    // A condition that we cannot check means the whole file (RFC 9110, section 13.1.5).
    let conditional = unsafe requestHeader("If-Range", connection) != nil
    let range = unsafe conditional ? nil : requestHeader("Range", connection)
    var bytes = 0..<file.size
    response.headers.append((name: "Accept-Ranges", value: "bytes"))
    switch ByteRange(response.status == 200 ? range : nil, size: file.size) {
    case .whole: break
    case .unsatisfiable:
      response.status = 416
      response.headers.append((name: "Content-Range", value: "bytes */\(file.size)"))
      return .memory([])
    case .part(let part):
      bytes = part
      response.status = 206
      let value = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.size)"
      response.headers.append((name: "Content-Range", value: value))
    }
    let descriptor = file.release()
    let object = unsafe MHD_create_response_from_fd_at_offset64(
      UInt64(bytes.count), descriptor, UInt64(bytes.lowerBound))
    if unsafe object == nil { Glibc.close(descriptor) }
    return unsafe ResponseObject(owning: object)
  }

  static func stream(_ body: StreamedBody, on connection: OpaquePointer) -> ResponseObject? {
    let context = unsafe Unmanaged.passRetained(StreamContext(body, connection)).toOpaque()
    let object = unsafe MHD_create_response_from_callback(
      martlet_mhd_size_unknown, 16 * 1024, readStream, context, endStream)
    if unsafe object == nil { unsafe endStream(context) }
    return unsafe ResponseObject(owning: object)
  }

  /// Adds header fields.
  ///
  /// - Returns: `false` where a field cannot be sent, such as one with a line break.
  func add(_ fields: [(name: String, value: String)]) -> Bool {
    fields.allSatisfy { field in
      // The library writes the length itself.
      if HTTPFieldName.equal(field.name, "content-length") { return true }
      return unsafe MHD_add_response_header(response, field.name, field.value) == .YES
    }
  }
}

/// A regular file that is open for reading.
private struct OpenFile: ~Copyable {
  private let descriptor: Int32
  let size: Int

  init?(_ path: String) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    var status = stat()
    guard descriptor >= 0 else { return nil }
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      Glibc.close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    size = status.st_size
  }

  deinit { Glibc.close(descriptor) }

  /// Returns the descriptor, which the caller then closes.
  consuming func release() -> Int32 {
    let released = descriptor
    discard self
    return released
  }
}

@safe private final class StreamContext {
  let body: StreamedBody
  let connection: OpaquePointer

  init(_ body: StreamedBody, _ connection: OpaquePointer) {
    self.body = body
    unsafe self.connection = unsafe connection
  }
}

private func readStream(
  context: UnsafeMutableRawPointer?, position: UInt64, buffer: UnsafeMutablePointer<CChar>?,
  capacity: Int
) -> Int {
  guard let context = unsafe context else { return martlet_mhd_end_of_stream }
  let stream = unsafe Unmanaged<StreamContext>.fromOpaque(context).takeUnretainedValue()
  return unsafe stream.body.read(
    into: UnsafeMutableRawBufferPointer(start: buffer, count: capacity),
    connection: stream.connection)
}

private func endStream(_ context: UnsafeMutableRawPointer?) {
  guard let context = unsafe context else { return }
  unsafe Unmanaged<StreamContext>.fromOpaque(context).takeRetainedValue().body.end()
}

private func requestHeader(_ name: String, _ connection: OpaquePointer) -> String? {
  let value = unsafe MHD_lookup_connection_value(connection, .HEADER_KIND, name)
  return unsafe value.map { unsafe String(cString: $0) }
}
