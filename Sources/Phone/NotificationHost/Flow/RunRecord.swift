import Foundation
import MediaLoading
import PushPayload
import RichNotifications

/// The record of one run for the report: the extension's requests, and the engine's decisions.
final class RunRecord: Sendable {
  private let trace: PushTrace
  private let outcomes = Locked<[MediaOutcome]>([])
  private let sent = Locked<[ExtensionRequest]>([])

  init(_ trace: PushTrace) { self.trace = trace }

  /// The outcome of each media file that the engine of the library was asked for.
  var media: [MediaOutcome] { outcomes.withLock { $0 } }
  /// The extension's requests in order.
  var requests: [ExtensionRequest] { sent.withLock { $0 } }

  /// Adds a decision of the host to the trace.
  @Sendable func note(_ rule: HostRule, _ message: String) { trace.note(rule, message) }

  /// Makes the engine report to this record.
  func observe(_ environment: inout RichEnvironment) {
    environment.trace = { self.trace.note($0) }
    environment.delivered = { content in self.outcomes.withLock { $0 += content.media } }
  }

  /// Returns the network, with a recording of each request.
  func recording(_ network: any MediaLoader) -> any MediaLoader {
    RecordedNetwork(network: network, record: self)
  }

  private func begin(_ request: MediaRequest) -> Int {
    sent.withLock { sent in
      sent.append(ExtensionRequest(request))
      return sent.count - 1
    }
  }

  private func change(_ number: Int, _ change: @Sendable (inout ExtensionRequest) -> Void) {
    sent.withLock { change(&$0[number]) }
  }

  private struct RecordedNetwork: MediaLoader {
    let network: any MediaLoader
    let record: RunRecord

    func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad {
      let number = record.begin(request)
      return network.load(request, into: RecordedSink(sink: sink, record: record, number: number))
    }
  }

  private final class RecordedSink: MediaSink {
    private let sink: any MediaSink
    private let record: RunRecord
    private let number: Int

    init(sink: any MediaSink, record: RunRecord, number: Int) {
      self.sink = sink
      self.record = record
      self.number = number
    }

    func receive(_ head: MediaResponseHead) -> MediaLoadDisposition {
      record.change(number) { $0.status = head.status }
      return sink.receive(head)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> MediaLoadDisposition { sink.receive(bytes) }

    func finish(_ error: MediaLoadError?) {
      if let error, error.code != .refused { record.change(number) { $0.error = error.message } }
      sink.finish(error)
    }
  }
}
