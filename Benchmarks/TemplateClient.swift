import Foundation
import NotificationTemplates
import PushPayload

/// The process `template FOLDER`: reads the template of each case below the folder, padded to 4 KB, many times, and prints
/// the median in microseconds, and that of decoding the same bytes; then the median and the slowest of laying them out.
///
/// The best of fifty rounds counts, because other load on the machine can only add time.
func templateClient(_ arguments: [String]) throws {
  let files = FileManager.default.enumerator(atPath: arguments[0])?.compactMap { $0 as? String }
  let payloads = (files ?? []).filter { $0.hasSuffix(".json") }.sorted()
    .compactMap { file in
      (try? Data(contentsOf: URL(filePath: arguments[0]).appending(path: file)))
        .flatMap { try? JSONValue(parsing: $0) }
    }
    .flatMap { $0["cases"]?.array ?? [] }.compactMap { $0["payload"] }
    .map { payload in
      let filled = fill(payload)
      return (payload: filled, data: filled.serialized())
    }
  var ours = [[Double]](repeating: [], count: payloads.count)
  var peer = ours
  for _ in 0..<50 {
    for (number, sample) in payloads.enumerated() {
      ours[number].append(
        microseconds { _ = TemplateTable.standard.read(sample.payload, delivered: 1_795_950_000) })
      peer[number].append(
        microseconds { _ = try? JSONSerialization.jsonObject(with: sample.data) })
    }
  }
  print("\(ours.compactMap { $0.min() }.median) \(peer.compactMap { $0.min() }.median)")
  let environment = TemplateEnvironment(width: 373, now: 1_795_950_000)
  let templates = payloads.compactMap {
    TemplateTable.standard.read($0.payload, delivered: 1_795_950_000).template
  }
  let layouts = templates.map { template in
    (0..<50).map { _ in
      microseconds {
        _ = TemplateLayout(template, in: environment, measuring: EvenMeasurer())
      }
    }.min() ?? .nan
  }
  print("\(layouts.median) \(layouts.max() ?? .nan)")
}

/// A measurer that costs nearly nothing, so that the layout's own arithmetic is measured.
private struct EvenMeasurer: TemplateTextMeasurer {
  func size(of text: String, font: TemplateFont, width: Double, lines: Int?) -> TemplateSize {
    let perLine = max(1, Int(width / (font.size / 2)))
    let needed = max(1, (text.utf8.count + perLine - 1) / perLine)
    return TemplateSize(
      width: width, height: Double(min(needed, lines ?? needed)) * font.size * 1.2)
  }
}
