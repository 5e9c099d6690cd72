// What the adapters use of three packages, restated so that they are compiled and tested without them. Leave this folder
// out of your package.
import Synchronization

#if !canImport(Metrics)
  /// The metrics that were recorded, by label and dimensions.
  final class RecordedMetrics: Sendable {
    @TaskLocal static var current = RecordedMetrics()

    private let values = Mutex<[String: [Int64]]>([:])

    func add(_ value: Int64, _ label: String, _ dimensions: [(String, String)]) {
      let key = label + dimensions.map { ",\($0)=\($1)" }.joined()
      values.withLock { $0[key, default: []].append(value) }
    }

    var all: [String: [Int64]] { values.withLock(\.self) }
  }

  // Source: swift-metrics 2, CoreMetrics/Metrics.swift.
  final class Counter: Sendable {
    private let label: String
    private let dimensions: [(String, String)]

    init(label: String, dimensions: [(String, String)] = []) {
      (self.label, self.dimensions) = (label, dimensions)
    }

    func increment(by amount: some BinaryInteger) {
      RecordedMetrics.current.add(Int64(amount), label, dimensions)
    }

    func increment() { increment(by: 1) }
  }

  final class Timer: Sendable {
    private let label: String
    private let dimensions: [(String, String)]

    init(label: String, dimensions: [(String, String)] = []) {
      (self.label, self.dimensions) = (label, dimensions)
    }

    func recordNanoseconds(_ duration: Int64) {
      RecordedMetrics.current.add(duration, label, dimensions)
    }
  }

  final class Gauge: Sendable {
    private let label: String

    init(label: String) { self.label = label }

    func record(_ value: some BinaryInteger) {
      RecordedMetrics.current.add(Int64(value), label, [])
    }
  }
#endif

#if !canImport(Logging)
  // Source: swift-log 1, Logging/Logger.swift.
  struct Logger: Sendable {
    struct Message: ExpressibleByStringInterpolation, CustomStringConvertible, Sendable {
      let description: String
      init(stringLiteral value: String) { description = value }
    }

    struct MetadataValue: ExpressibleByStringInterpolation, CustomStringConvertible, Sendable {
      let description: String
      init(stringLiteral value: String) { description = value }
    }

    typealias Metadata = [String: MetadataValue]

    private let handler: @Sendable (_ level: String, Message, Metadata) -> Void

    init(_ handler: @escaping @Sendable (_ level: String, Message, Metadata) -> Void) {
      self.handler = handler
    }

    func debug(
      _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil
    ) { handler("debug", message(), metadata() ?? [:]) }

    func info(
      _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil
    ) { handler("info", message(), metadata() ?? [:]) }

    func warning(
      _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil
    ) { handler("warning", message(), metadata() ?? [:]) }
  }
#endif

#if !canImport(ServiceLifecycle)
  // Source: swift-service-lifecycle 2, ServiceLifecycle/Service.swift and GracefulShutdown.swift.
  protocol Service: Sendable {
    func run() async throws
  }

  /// The graceful shutdown of the services of a task, which a test begins.
  struct GracefulShutdown: Sendable {
    @TaskLocal static var current: GracefulShutdown?

    private let requests: AsyncStream<Void>
    private let request: AsyncStream<Void>.Continuation

    init() { (requests, request) = AsyncStream.makeStream() }

    func begin() { request.finish() }

    fileprivate func wait() async { for await _ in requests {} }
  }

  /// Its form for closures that do not throw.
  func cancelWhenGracefulShutdown<Value: Sendable>(
    _ operation: @Sendable @escaping () async -> Value
  ) async -> Value {
    let task = Task { await operation() }
    let watch = Task {
      await GracefulShutdown.current?.wait()
      task.cancel()
    }
    defer { watch.cancel() }
    return await task.value
  }
#endif
