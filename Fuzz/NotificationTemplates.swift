// Reads any bytes as a payload with a template. No input may crash it; the document that it gives, sent as Martlet's own,
// is read as the same document. A file of cases, as the seeds are, is read case by case.
import NotificationTemplates
import PushPayload

private func check(_ payload: JSONValue) {
  let reading = TemplateTable.standard.read(payload, delivered: 1_795_950_000)
  precondition(reading.findings.count <= PayloadReader.maximumFindings)
  guard let template = reading.template else { return }
  let document = template.json
  let own: JSONValue = ["_martlet": ["template": document]]
  let again = TemplateTable.standard.read(own, delivered: 0).template
  precondition(again?.json == document)
  let kept = template.keeping { $0.id.utf8.count % 2 == 0 }
  precondition(kept.media.allSatisfy { $0.id.utf8.count % 2 == 0 })
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOne(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let payload = try? JSONValue(parsing: bytes) else { return 0 }
  for item in payload["cases"]?.array?.prefix(10) ?? [payload] {
    check(item["payload"] ?? item)
  }
  return 0
}
