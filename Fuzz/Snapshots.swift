// Reads snapshots of audience indexes: the bytes as they are, and with the checksum that they should have. No input may crash it,
// also when the index is used, changed and written again.
import PushModel
import PushPayload
import _Bitmaps

@testable import PushServer

private let key = HashKey(first: 1, second: 2)
private let filters = [
  Filter(field: .builtIn(.tags), criteria: [.equals(.string("news"))]),
  Filter(field: .builtIn(.createdAt), criteria: [.range([.init(.gt, .string("-7d"))])]),
  Filter(field: .builtIn(.userID), criteria: [.equals(.string("user-1"))], isNegated: true),
]
private let device: Device = {
  var device = Device(id: "device-1", createdAt: Timestamp(milliseconds: 0))
  device.number = 1
  device.tags = ["news"]
  return device
}()

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOne(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count / 32 * 32))
  for bytes in [bytes, SnapshotWriter.sealed(bytes)] {
    let fixed = FixedBytes(bytes)
    _ = try? SnapshotFolder.manifest(in: fixed, app: "app")
    guard var index = try? SnapshotFolder.shard(0, in: fixed, app: "app", key: key) else {
      continue
    }
    let now = Timestamp(milliseconds: 0)
    for _ in 0..<2 {
      let found = index.devices(passing: filters, at: now, among: index.installed)
      precondition(found.subtracting(index.installed).isEmpty)
      _ = index.byTimeZone(index.reachable)
      index.update([device])
    }
    var writer = SnapshotWriter { _ in }
    try? SnapshotFolder.encode(index, shard: 0, app: "app", into: &writer)
    try? writer.finish()
  }
  return 0
}
