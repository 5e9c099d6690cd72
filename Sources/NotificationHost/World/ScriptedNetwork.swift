public import Foundation
public import MediaLoading
public import RichNotifications

/// A network that tests command: what each URL answers, how late, how fast.
///
/// Answers come on the host's clock, so a slow download takes no time to test.
public final class ScriptedNetwork: MediaLoader {
  /// What one URL answers.
  ///
  /// An answer with an `ETag` is resumed as servers do (RFC 9110 section 13.1.5): where `If-Range`
  /// names that tag, the `Range` is answered 206 with the rest, and in full where it names another.
  public struct Answer: Sendable {
    /// The status.
    public var status = 200
    /// The header fields, before those that the script adds itself.
    public var headers: [String: String] = [:]
    /// The body; `nil` for none.
    public var body: Body?
    /// The `Content-Type`.
    public var mimeType: String?
    /// Whether the length is announced.
    public var announcesLength = true
    /// The length that is announced in place of the true one; `nil` for the true one.
    ///
    /// A body that ends before it is a broken connection; what lies beyond it is not sent.
    public var announcedLength: Int64?
    /// After how many bytes the server falls silent; `nil` for never.
    public var stallsAfter: Int?
    /// After how many bytes the connection breaks; `nil` for never.
    public var breaksAfter: Int?
    /// How the load ends in place of any answer; `nil` for an answer.
    public var failure: MediaLoadError.Code?

    /// Where the answer points to: a status of 302 with a `Location`.
    public var redirectsTo: URL? {
      get { headers["Location"].flatMap { URL(string: $0) } }
      set {
        headers["Location"] = newValue?.absoluteString
        status = newValue == nil ? 200 : 302
      }
    }

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - headers: The header fields, before those that the script adds itself.
    ///   - body: The body.
    public init(status: Int = 200, headers: [String: String] = [:], body: Body? = nil) {
      self.status = status
      self.headers = headers
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

  private struct Script: Sendable {
    var answers: [String: [Answer]]
    var requests: [MediaRequest] = []

    /// The last answer of a URL is its answer from then on.
    mutating func next(for request: MediaRequest) -> Answer? {
      requests.append(request)
      let url = request.url.absoluteString
      guard let answer = answers[url]?.first else { return nil }
      if answers[url]?.dropFirst().isEmpty == false { answers[url]?.removeFirst() }
      return answer
    }
  }

  /// Time from the request to the head of the answer.
  public let latency: Duration
  /// Bytes a second; `nil` for as fast as the machine is.
  public let bandwidth: Int?
  /// Whether the phone is in Low Data Mode: requests that are not for it end `constrained`.
  public let isConstrained: Bool
  /// What the extension's Info.plist allows without TLS; `nil` to ask no such question.
  public let transportSecurity: TransportSecurity?
  private let clock: any DeliveryClock
  private let script: HostLocked<Script>

  /// Writes a script of one answer for each URL.
  ///
  /// - Parameters:
  ///   - answers: What each URL answers; every other URL fails with reason `offline`.
  ///   - clock: The host's clock.
  ///   - latency: Time from the request to the head of the answer.
  ///   - bandwidth: Bytes a second; `nil` for as fast as the machine is.
  ///   - isConstrained: Whether the phone is in Low Data Mode.
  ///   - transportSecurity: What the extension's Info.plist allows without TLS.
  public convenience init(
    _ answers: [String: Answer] = [:], clock: any DeliveryClock, latency: Duration = .zero,
    bandwidth: Int? = nil, isConstrained: Bool = false,
    transportSecurity: TransportSecurity? = nil
  ) {
    self.init(
      inTurn: answers.mapValues { [$0] }, clock: clock, latency: latency, bandwidth: bandwidth,
      isConstrained: isConstrained, transportSecurity: transportSecurity)
  }

  /// Writes a script of several answers for a URL, given one after the other.
  ///
  /// - Parameters:
  ///   - answers: What each URL answers, the last again and again; every other URL fails with reason
  ///     `offline`.
  ///   - clock: The host's clock.
  ///   - latency: Time from the request to the head of the answer.
  ///   - bandwidth: Bytes a second; `nil` for as fast as the machine is.
  ///   - isConstrained: Whether the phone is in Low Data Mode.
  ///   - transportSecurity: What the extension's Info.plist allows without TLS.
  public init(
    inTurn answers: [String: [Answer]], clock: any DeliveryClock, latency: Duration = .zero,
    bandwidth: Int? = nil, isConstrained: Bool = false,
    transportSecurity: TransportSecurity? = nil
  ) {
    script = HostLocked(Script(answers: answers))
    self.clock = clock
    self.latency = latency
    self.bandwidth = bandwidth
    self.isConstrained = isConstrained
    self.transportSecurity = transportSecurity
  }

  /// The requests that were sent, in their order.
  public var requests: [MediaRequest] { script.withLock { $0.requests } }

  /// Answers by the script.
  ///
  /// - Parameters:
  ///   - request: What to fetch.
  ///   - sink: What receives the answer, on the clock's thread.
  /// - Returns: What cancels it.
  public func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad {
    let outcome = outcome(of: request)
    let transfer = ScriptedTransfer(outcome, sink: sink, clock: clock, bandwidth: bandwidth)
    transfer.start(after: latency)
    return transfer
  }

  /// What no loader sends does not reach the script.
  private func outcome(of request: MediaRequest) -> Result<ScriptedReply, MediaLoadError> {
    if let refusal = request.refusal { return .failure(refusal) }
    if let transportSecurity, !transportSecurity.allows(request.url) {
      return .failure(MediaLoadError(.network, "App Transport Security blocks cleartext"))
    }
    guard !isConstrained || request.allowsConstrainedNetwork else {
      return .failure(MediaLoadError(.constrained, "the phone is in Low Data Mode"))
    }
    guard let answer = script.withLock({ $0.next(for: request) }) else {
      return .failure(MediaLoadError(.offline, "the script has no answer for this URL"))
    }
    if let code = answer.failure {
      return .failure(MediaLoadError(code, "the script says \(code.rawValue)"))
    }
    return .success(ScriptedReply(answer, to: request))
  }
}
