// Reads any bytes as what APNs sends on a connection, with HTTP2Session and the client's state machine: frames, headers
// and the JSON of answers. No input may crash it, and each of three pushes ends once.
import PushPayload
import _HTTP2

@testable import APNs

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOne(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let part = bytes.first.map({ Int($0) + 1 }),
    let session = try? HTTP2Session(.client)
  else { return 0 }
  var state = ConnectionState()
  var outcomes = [0, 0, 0]
  func record(_ effect: ConnectionState.Effect) {
    switch effect {
    case .finished(let push, let result):
      _ = result.outcome(ofID: sample.id)
      outcomes[push.index] += 1
    case .refused(let push): outcomes[push.index] += 1
    case .ended(let stream): session.submitReset(stream: stream, code: .cancel)
    }
  }
  do {
    var headers = HeaderBlock()
    var pushHeaders = PushHeaders(authority: "localhost")
    for index in outcomes.indices {
      pushHeaders.write(0, of: [sample], authorization: nil, to: &headers)
      state.opened(
        try session.submitRequest(headers, body: sample.payload),
        for: PushReference(batch: 0, index: index))
    }
    var output: [UInt8] = []
    _ = try session.send(into: &output, upTo: .max)
    // The first byte is the size of the parts in which the others arrive.
    var rest = bytes.dropFirst()
    while !rest.isEmpty {
      let next = Array(rest.prefix(part))
      rest = rest.dropFirst(part)
      var events = try session.receive(next, count: next.count)
      output.removeAll(keepingCapacity: true)
      events += try session.send(into: &output, upTo: .max)
      state.on(events, streamLimit: session.remoteStreamLimit).forEach(record)
    }
  } catch {}
  for effect in state.lost("the end") { record(effect) }
  precondition(outcomes == [1, 1, 1])
  return 0
}

private let sample = APNsNotification(
  deviceToken: "0a", topic: "com.example.app", payload: Array(#"{"aps":{}}"#.utf8))
