// Reads any bytes as a property list, an executable, a code signature and entitlements. No input may crash it.
import Foundation

@testable import BundleDoctor

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOne(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let data = Data(UnsafeBufferPointer(start: start, count: count))
  let list = try? PropertyList.dictionary(of: data, name: "it")
  if data.starts(with: Array("bplist".utf8)) {
    precondition(list?.keys == (try? PropertyList.dictionary(of: data, name: "it"))?.keys)
  }
  _ = try? CodeSignature(ByteView(data))
  let entitlements = try? DEREntitlements.read(data)
  precondition(entitlements == (try? DEREntitlements.read(data)))
  // Offsets count from the start of a slice, whose first index is not 0.
  _ = try? MachO((Data([0]) + data).dropFirst())
  return 0
}
