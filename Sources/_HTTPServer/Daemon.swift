import CMicroHTTPD
import Glibc
import Synchronization

/// Owns a running `MHD_Daemon`: it listens from `init` and is gone after `stop`.
final class Daemon: Sendable {
  @safe private struct State {
    var daemon: OpaquePointer?
    /// Given back by `MHD_quiesce_daemon`, and closed only after the threads are gone.
    var quiesced: Int32 = -1
  }

  private let state: Mutex<State>
  /// The context of every callback; the daemon holds it unretained, so we hold it.
  private let service: HTTPService

  init(
    _ configuration: HTTPServer.Configuration, socket: consuming ListeningSocket,
    service: HTTPService
  ) throws(HTTPServerError) {
    self.service = service
    let descriptor = socket.release()
    guard
      let daemon = unsafe Self.start(configuration, descriptor: descriptor, service: service)
    else {
      close(descriptor)
      guard configuration.tls == nil else {
        throw HTTPServerError(
          code: .certificateUnusable,
          message: "the TLS certificate and key do not work together; give both as PEM")
      }
      throw HTTPServerError(
        code: .cannotStart,
        message: "the HTTP server cannot start; see that files and threads are not used up")
    }
    state = unsafe Mutex(State(daemon: daemon))
  }

  deinit { stop() }

  /// Takes no more connections; those that are open go on.
  func quiesce() {
    state.withLock { state in
      guard let daemon = unsafe state.daemon, state.quiesced < 0 else { return }
      state.quiesced = unsafe MHD_quiesce_daemon(daemon)
    }
  }

  /// Closes every connection and joins the threads.
  ///
  /// No connection may be suspended by then.
  func stop() {
    let (daemon, quiesced) = unsafe state.withLock { state in
      defer { state.quiesced = -1 }
      return unsafe (state.daemon.take(), state.quiesced)
    }
    guard let daemon = unsafe daemon else { return }
    unsafe MHD_stop_daemon(daemon)
    if quiesced >= 0 { close(quiesced) }
  }

  private static func start(
    _ configuration: HTTPServer.Configuration, descriptor: Int32, service: HTTPService
  ) -> OpaquePointer? {
    let context = unsafe Unmanaged.passUnretained(service).toOpaque()
    let completed: MHD_RequestCompletedCallback = unsafe exchangeCompleted
    let notified: MHD_NotifyConnectionCallback = unsafe connectionChanged
    let began:
      @convention(c) (
        UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
      ) -> UnsafeMutableRawPointer? = unsafe requestLineRead

    var options = unsafe [
      option(.LISTEN_SOCKET, Int(descriptor)),
      option(.THREAD_POOL_SIZE, 2),
      option(.CONNECTION_LIMIT, configuration.maximumConnections),
      option(.PER_IP_CONNECTION_LIMIT, configuration.connectionsPerAddress),
      option(.CONNECTION_MEMORY_LIMIT, configuration.connectionMemory),
      option(.CONNECTION_MEMORY_INCREMENT, configuration.connectionMemory / 4),
      // Ends a peer that stops reading its answer; all else has deadlines of ours.
      option(.CONNECTION_TIMEOUT, 60),
      option(.STRICT_FOR_CLIENT, 1),
      option(.URI_LOG_CALLBACK, unsafeBitCast(began, to: Int.self), context),
      option(.NOTIFY_COMPLETED, unsafeBitCast(completed, to: Int.self), context),
      option(.NOTIFY_CONNECTION, unsafeBitCast(notified, to: Int.self), context),
    ]
    var flags = MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
    // The library parses the PEM texts while it starts and keeps none of these pointers.
    var texts: [UnsafeMutablePointer<CChar>?] = unsafe []
    defer { unsafe texts.forEach { unsafe free($0) } }
    if let tls = configuration.tls {
      flags |= MHD_USE_TLS.rawValue
      let entries: [(MHD_OPTION, String)] = [
        (.HTTPS_MEM_CERT, tls.certificatePEM), (.HTTPS_MEM_KEY, tls.keyPEM),
        (.HTTPS_PRIORITIES, "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"),
      ]
      for (name, text) in entries {
        unsafe texts.append(strdup(text))
        unsafe options.append(option(name, 0, texts[texts.count - 1]))
      }
    }
    unsafe options.append(option(.END, 0))
    return unsafe martlet_mhd_start(flags, requestContinued, context, options)
  }

  private static func option(
    _ name: MHD_OPTION, _ value: Int, _ pointer: UnsafeMutableRawPointer? = nil
  ) -> MHD_OptionItem {
    unsafe MHD_OptionItem(option: name, value: value, ptr_value: pointer)
  }
}
