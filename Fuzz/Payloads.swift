// Checks any bytes with every rule of martlet lint. No input may crash it, and each finding is in the file.
import PayloadLint
import PushPayload

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOne(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: start, count: count)
  let report = LintReport(LintSubject(bytes, now: 1_795_305_600))
  precondition(report.entries.allSatisfy { $0.position.line >= 1 && $0.position.column >= 1 })
  return 0
}
