public import Foundation
public import MediaLoading
public import RichNotifications

/// A network that tests command: what each URL answers, how late, how fast.
///
/// Answers come on the host's clock, so a slow download takes no time to test.
public final class ScriptedNetwork: MediaLoader {
  /// What one URL answers.
  public struct Answer: Sendable {
    /// The status.
    public var status = 200
    /// The body; `nil` for none.
    public var body: Body?
    /// The `Content-Type`.
    public var mimeType: String?
    /// Whether the length is announced.
    public var announcesLength = true
    /// Where it says it comes from, after redirects; `nil` for the URL that was asked.
    public var finalURL: URL?
    /// After how many bytes the server falls silent; `nil` for never.
    public var stallsAfter: Int?
    /// After how many bytes the connection breaks; `nil` for never.
    public var breaksAfter: Int?

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - body: The body.
    public init(status: Int = 200, body: Body? = nil) {
      self.status = status
      self.body = body
    }
  }

  /// Where an answer's bytes come from.
  public enum Body: Sendable {
    /// These bytes.
    case bytes([UInt8])
    /// A file, read piece by piece.
    case file(URL)
    /// These bytes again and again, without end.
    case endless([UInt8])
  }

  /// Time from the request to the head of the answer.
  public let latency: Duration
  /// Bytes a second; `nil` for as fast as the machine is.
  public let bandwidth: Int?
  private let clock: any DeliveryClock
  private let answers: [String: Answer]

  /// Writes the script.
  ///
  /// - Parameters:
  ///   - answers: What each URL answers; every other URL fails with reason `offline`.
  ///   - clock: The host's clock.
  ///   - latency: Time from the request to the head of the answer.
  ///   - bandwidth: Bytes a second; `nil` for as fast as the machine is.
  public init(
    _ answers: [String: Answer] = [:], clock: any DeliveryClock, latency: Duration = .zero,
    bandwidth: Int? = nil
  ) {
    self.answers = answers
    self.clock = clock
    self.latency = latency
    self.bandwidth = bandwidth
  }

  /// Answers by the script.
  ///
  /// - Parameters:
  ///   - request: What to fetch.
  ///   - sink: What receives the answer, on the clock's thread.
  /// - Returns: What cancels it.
  public func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad {
    let transfer = ScriptedTransfer(
      answers[request.url.absoluteString], url: request.url, sink: sink, clock: clock,
      bandwidth: bandwidth)
    transfer.start(after: latency)
    return transfer
  }
}
