// Reads any bytes as a payload with every dialect. No input may crash it, and two readings give the same result.
import Foundation
import PushPayload

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOne(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: start, count: count)
  guard let payload = try? JSONValue(parsing: Data(bytes)) else { return 0 }
  let request = DialectTable.standard.read(payload)
  precondition(request == DialectTable.standard.read(payload))
  _ = APNsPayload(payload).findings()
  return 0
}
