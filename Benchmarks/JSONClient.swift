import Foundation
import PushPayload
import _Simdjson

/// The readers, in the order of the report.
enum JSONReader: Int, CaseIterable {
  case ours, simdjson, tape, foundation
}

/// The process `json`: reads each sample with each reader in turn, in five rounds, and prints a line for each sample
/// with the medians of the processor time for one document, in microseconds.
func jsonClient() throws {
  let simdjson = Simdjson()
  let decoder = JSONDecoder()
  for sample in JSONSample.all {
    let (bytes, data) = (sample.bytes, Data(sample.bytes))
    let value = try JSONValue(parsing: data)
    guard simdjson.value(bytes) == value, try decoder.decode(JSONValue.self, from: data) == value
    else { throw Child.Failure(description: "the readers differ on \(sample.name)") }
    let reads: [(JSONReader, () throws -> Bool)] = [
      (.ours, { !(try JSONValue(parsing: bytes).isNull) }),
      (.simdjson, { simdjson.value(bytes) != nil }),
      (.tape, { simdjson.isReadable(bytes) }),
      (.foundation, { !(try decoder.decode(JSONValue.self, from: data).isNull) }),
    ]
    // About 20 MB in each round, and a tenth of that with Foundation.
    let count = max(1, 20_000_000 / bytes.count)
    var times = [[Double]](repeating: [], count: reads.count)
    for round in 0...5 {
      for (reader, read) in reads {
        let count = reader == .foundation ? max(1, count / 10) : count
        let start = processorTime(RUSAGE_SELF)
        for _ in 0..<count {
          guard try read() else { throw Child.Failure(description: "\(reader) read nothing") }
        }
        let time = (processorTime(RUSAGE_SELF) - start) / Double(count)
        // The first round warms up.
        if round > 0 { times[reader.rawValue].append(time * 1e6) }
      }
    }
    print(times.map { "\($0.median)" }.joined(separator: " "))
    fflush(nil)
  }
}

/// A document as a client sends it to the server.
struct JSONSample {
  let name: String
  let bytes: [UInt8]

  private init(_ name: String, _ text: String) {
    self.name = name
    bytes = Array(text.utf8)
  }

  static let all = [
    JSONSample("a device's update of 330 bytes", device),
    JSONSample("a notification of 1 kB", notification),
    JSONSample("a line of an import, 180 bytes", line),
    JSONSample("a body of 1 MB", users),
  ]

  private static let token = String(repeating: "b0c4", count: 16)

  private static let device =
    #"{"device":{"push_token":"\#(token)","platform":"iOS","locale":"de_DE","#
    + #""time_zone":"Europe/Berlin","app_version":"4.2.1","os_version":"18.1","#
    + #""tags":["news","sport"],"location":{"latitude":52.52,"longitude":13.405},"#
    + #""user_attributes":{"plan":{"type":"string","value":"gold"}}}}"#

  private static let notification = """
    {
      "notification": {
        "to": [
          {"name": "tags", "criteria": ["news"]},
          {"name": "custom.string.plan", "criteria": ["gold", "silver"]},
          {"name": "events.video_plays", "criteria": [{"gte": 3, "lt": 20}], "not_filter": true}
        ],
        "scheduled_at": "2026-12-01T09:00:00Z",
        "expires_at": "2026-12-02T09:00:00Z",
        "throttle": 5000,
        "payload": {
          "title": "Schöne Aussichten für {{ user.first_name }}",
          "subtitle": "Neu in deiner Stadt",
          "alert": "Drei Konzerte, die zu dem passen, was du zuletzt gehört hast.\\nJetzt ansehen.",
          "badge": 1,
          "sound": "default",
          "thread_id": "concerts",
          "interruption_level": "active",
          "relevance_score": 0.75,
          "attachments": [
            {"url": "https://media.example.com/2026/12/concerts-berlin.jpg", "type": "image/jpeg"}
          ],
          "buttons": [{"id": "see", "title": "Ansehen"}, {"id": "later", "title": "Später"}],
          "user_info": {"campaign": 48213, "url": "https://example.com/concerts?from=push"}
        }
      }
    }
    """

  private static let line =
    #"{"push_token":"\#(token)","platform":"iOS","user_id":"user-4711","#
    + #""user_attributes":{"plan":{"type":"string","value":"gold"}}}"#

  private static let users: String = {
    let (start, end) = (
      #"{"notification":{"to":[{"name":"user_id","criteria":["#, #"]}],"payload":{"alert":"Hi"}}}"#
    )
    let ids = (0..<80_000).map { #""user-\#($0)""# }.joined(separator: ",")
    return start + ids + end
  }()
}
