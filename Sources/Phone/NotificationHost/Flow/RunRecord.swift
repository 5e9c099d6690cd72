import Foundation
import MediaLoading
import PushPayload
import RichNotifications

/// The record of one run for the report: the extension's requests, the engine's decisions, and the limits of the model.
final class RunRecord: Sendable {
  /// The most limits of the model that are in a trace.
  static let maximumLimits = 100
  /// The most characters of such a line, which may come from another process.
  private static let maximumLine = 500

  private let trace: PushTrace
  private let outcomes = Locked<[MediaOutcome]>([])
  private let limits = Locked<Set<String>>([])

  init(_ trace: PushTrace) { self.trace = trace }

  /// The outcome of each media file that the engine of the library was asked for.
  var media: [MediaOutcome] { outcomes.withLock { $0 } }
  /// The extension's requests in order.
  var requests: [ExtensionRequest] { trace.log.requests }

  /// Adds a decision of the host to the trace.
  @Sendable func note(_ rule: HostRule, _ message: String) { trace.note(rule, message) }

  /// Adds a limit of the model that the extension has met to the trace, once in a run.
  @Sendable func noteLimit(_ line: String) {
    let line = String(line.prefix(Self.maximumLine))
    let isNew = limits.withLock { limits in
      limits.count < Self.maximumLimits && limits.insert(line).inserted
    }
    guard isNew else { return }
    trace.note(TraceEvent(at: .zero, stage: .model, rule: "not-modelled", message: line))
  }

  /// Makes the engine report to this record.
  func observe(_ environment: inout RichEnvironment) {
    environment.trace = { self.trace.note($0) }
    environment.delivered = { content in self.outcomes.withLock { $0 += content.media } }
  }

  /// Returns the network, with a recording of each request.
  func recording(_ network: any MediaLoader) -> any MediaLoader {
    RecordedNetwork(network: network, trace: trace)
  }

  private struct RecordedNetwork: MediaLoader {
    let network: any MediaLoader
    let trace: PushTrace

    func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad {
      let number = trace.send(request)
      return network.load(request, into: RecordedSink(sink: sink, trace: trace, number: number))
    }
  }

  private final class RecordedSink: MediaSink {
    private let sink: any MediaSink
    private let trace: PushTrace
    private let number: Int

    init(sink: any MediaSink, trace: PushTrace, number: Int) {
      self.sink = sink
      self.trace = trace
      self.number = number
    }

    func receive(_ head: MediaResponseHead) -> MediaLoadDisposition {
      trace.answer(number, head)
      return sink.receive(head)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> MediaLoadDisposition {
      trace.receive(number, bytes: bytes.count)
      return sink.receive(bytes)
    }

    func finish(_ error: MediaLoadError?) {
      trace.end(number, error)
      sink.finish(error)
    }
  }
}
