import PushModel
import _HTTPServer

/// A form with a file of devices, which is stored while it arrives.
struct ImportUpload {
  private let request: PageRequest
  private let body: IncomingBody
  private var form: FormStream
  private var events: [FormStream.Event] = []
  private var isAdmitted = false

  init(_ request: PageRequest) throws(RequestError) {
    guard request.http.mediaType == "multipart/form-data" else {
      throw RequestError(
        .unsupportedType, "choose a file on the page; its form is multipart/form-data")
    }
    self.request = request
    body = request.http.incoming ?? IncomingBody(request.http.body)
    form = FormStream(boundary: String(try Form.boundary(of: request.http)))
  }

  /// Stores the file of the form.
  ///
  /// - Throws: ``RequestError`` `.forbidden` unless the form's token comes before the file and is the session's.
  mutating func receive() async throws -> FileImport {
    while let event = try await nextEvent() {
      switch event {
      case .field("token", let value): isAdmitted = request.session.hasFormToken(value)
      case .file(_, let name):
        guard isAdmitted else {
          throw RequestError(
            .forbidden,
            "this form belongs to another session; reload the page, and choose the file again")
        }
        guard !name.isEmpty else { throw Self.noFile }
        return try await request.actions.receiveImport(named: name, by: request.actor) {
          guard case .bytes(let bytes) = try await nextEvent() else { return nil }
          return bytes
        }
      case .field, .bytes, .end: continue
      }
    }
    throw Self.noFile
  }

  private static let noFile = RequestError(
    .invalid, "Choose a file first: CSV, newline-delimited JSON, or another service's export.")

  private mutating func nextEvent() async throws -> FormStream.Event? {
    while events.isEmpty {
      guard let piece = try await body.next() else {
        guard form.isComplete else { throw Form.incomplete }
        return nil
      }
      events = try form.read(piece).reversed()
    }
    return events.removeLast()
  }
}
