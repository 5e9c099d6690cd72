// Determines media types by a file's first bytes, a Content-Type and a name. No input may crash it.
import Foundation
import PushPayload

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOne(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let type = MediaType(signature: bytes)
  // The bytes after the head do not change the type.
  let head = bytes.prefix(MediaType.signatureLength)
  precondition(type == MediaType(signature: head))
  let text = String(decoding: head, as: UTF8.self)
  _ = MediaType(mimeType: text)
  _ = MediaType(pathExtension: text)
  return 0
}
