// Any bytes as a payload, read with every dialect: no crash, and the same answer twice.
import Foundation
import PushPayload

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOne(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: start, count: count)
  guard let payload = try? JSONValue(parsing: Data(bytes)) else { return 0 }
  let content = DialectTable.standard.read(payload)
  precondition(content == DialectTable.standard.read(payload))
  _ = APNsPayload(payload).findings()
  return 0
}
