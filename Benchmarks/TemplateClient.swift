import Foundation
import NotificationTemplates
import PushPayload

/// The process `template FOLDER`: reads the template of each case below the folder, padded to 4 KB, many times, and prints
/// the median in microseconds, and that of decoding the same bytes.
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
}
