// Reads any bytes as a payload with a template, and lays it out. No input may crash it; the document that it gives, sent as
// Martlet's own, is read as the same document; all parts are in the view. A file of cases, as the seeds are, is read case by
// case.
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
  var environment = TemplateEnvironment(width: 320, now: 1_795_950_001)
  environment.textSize = document["texts"] == nil ? .accessibility5 : .large
  for template in [template, kept] {
    let layout = TemplateLayout(template, in: environment, measuring: EvenMeasurer())
    precondition(layout.size.height.isFinite && layout.size.height < 2_000_000)
    precondition(
      layout.elements.allSatisfy { $0.frame.y >= 0 && $0.frame.maxY < layout.size.height + 1 })
  }
}

/// A measurer whose letters are all half as wide as high.
private struct EvenMeasurer: TemplateTextMeasurer {
  func size(of text: String, font: TemplateFont, width: Double, lines: Int?) -> TemplateSize {
    let perLine = max(1, Int(width / (font.size / 2)))
    let needed = max(1, (text.utf8.count + perLine - 1) / perLine)
    return TemplateSize(
      width: min(width, font.size), height: Double(min(needed, lines ?? needed)) * font.size * 1.2)
  }
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
