#if os(Linux)
  import Foundation
  import _Spawn

  /// A running Prometheus: Debian's `prometheus`, on a free port of this machine.
  package final class PrometheusServer: Sendable {
    private let process: ChildProcess
    private let folder: TemporaryFolder
    private let reading: Task<Void, Never>
    package let url: String

    /// Starts it with a configuration, whose rule files lie in `rules`.
    ///
    /// - Returns: `nil` where it ended before it listened.
    package init?(configuration: String, rules: String) async throws {
      guard let program = InstalledProgram.prometheus else { return nil }
      folder = TemporaryFolder()
      for file in try FileManager.default.contentsOfDirectory(atPath: rules)
      where file.hasSuffix(".rules.yml") {
        try FileManager.default.copyItem(atPath: rules + "/" + file, toPath: folder.path(file))
      }
      let file = try folder.write(configuration, to: "prometheus.yml")
      process = try ChildProcess(
        "/bin/sh",
        [
          "-c", #"exec "$@" 2>&1"#, "sh", program, "--config.file=\(file)",
          "--storage.tsdb.path=\(folder.path("data"))", "--web.listen-address=127.0.0.1:0",
        ])
      var lines = process.lines.makeAsyncIterator()
      var address: Substring?
      while address == nil, let line = await lines.next() {
        // The line before it names the address as it was asked for, with port 0.
        if line.contains("\"Listening on\""), let range = line.range(of: "address=") {
          address = line[range.upperBound...].prefix { $0 != " " }
        }
      }
      guard let address else { return nil }
      url = "http://\(address)"
      reading = Task { while await lines.next() != nil {} }
    }

    /// The values of an instant query, by their labels.
    package func query(_ query: String) async throws -> [(labels: [String: String], value: Double)]
    {
      struct Answer: Decodable {
        struct Sample: Decodable {
          var metric: [String: String]
          var value: [Value]
        }
        struct Result: Decodable { var result: [Sample] }
        enum Value: Decodable {
          case number(Double), text(String)
          init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
              self = .text(text)
            } else {
              self = .number(try container.decode(Double.self))
            }
          }
        }
        var data: Result
      }
      let answer = await runProgram(
        "/usr/bin/curl",
        [
          "--silent", "--fail", "--retry", "5", "--retry-all-errors", "--get", "--data-urlencode",
          "query=\(query)", url + "/api/v1/query",
        ])
      guard answer.status == 0 else { throw PrometheusError(curlStatus: answer.status) }
      let decoded = try JSONDecoder().decode(Answer.self, from: Data(answer.output.utf8))
      return decoded.data.result.map { sample in
        guard case .text(let text) = sample.value.last else { return (sample.metric, .nan) }
        return (sample.metric, Double(text) ?? .nan)
      }
    }

    package func stop() async {
      process.signal(SIGTERM)
      _ = await process.wait()
      reading.cancel()
    }
  }

  /// Prometheus did not answer a query; the number is what curl ended with.
  struct PrometheusError: Error { let curlStatus: Int32 }
#endif
