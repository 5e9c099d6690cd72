import CMicroHTTPD
import Glibc
import Synchronization

/// An owned `MHD_Daemon`, which listens from `init` until `stop`.
final class Daemon: Sendable {
  @safe private struct State {
    var daemon: OpaquePointer?
  }

  private let state: Mutex<State>
  /// The context of every callback.
  ///
  /// The daemon holds it unretained, so this reference keeps it alive.
  private let service: HTTPService

  init(
    _ configuration: HTTPServer.Configuration, socket: borrowing ListeningSocket,
    service: HTTPService
  ) throws(HTTPServerError) {
    self.service = service
    // The library closes its socket when it stops, and on some failures to start but not on all. It
    // gets a duplicate, so that ours is closed exactly once.
    let descriptor = socket.duplicate()
    guard
      let daemon = unsafe Self.start(configuration, descriptor: descriptor, service: service)
    else {
      socket.shutDown()
      guard configuration.tls == nil else {
        throw HTTPServerError(
          code: .certificateUnusable,
          message: "the TLS certificate and key do not match; give both as PEM")
      }
      throw HTTPServerError(
        code: .cannotStart,
        message: "the HTTP server cannot start; check the limits of open files and threads")
    }
    state = unsafe Mutex(State(daemon: daemon))
  }

  deinit { stop() }

  /// Closes every connection and joins the threads.
  ///
  /// No connection may be suspended by then.
  func stop() {
    guard let daemon = unsafe state.withLock({ unsafe $0.daemon.take() }) else { return }
    unsafe MHD_stop_daemon(daemon)
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
      // For a peer that stops reading its answer, in seconds; the rest is ConnectionDeadlines.
      option(.CONNECTION_TIMEOUT, 60),
      option(.STRICT_FOR_CLIENT, 1),
      option(.URI_LOG_CALLBACK, unsafeBitCast(began, to: Int.self), pointer: context),
      option(.NOTIFY_COMPLETED, unsafeBitCast(completed, to: Int.self), pointer: context),
      option(.NOTIFY_CONNECTION, unsafeBitCast(notified, to: Int.self), pointer: context),
    ]
    var flags = MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
    // The library parses the PEM texts while it starts, and keeps no pointer to them.
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
        unsafe options.append(option(name, 0, pointer: texts[texts.count - 1]))
      }
    }
    unsafe options.append(option(.END, 0))
    return unsafe martlet_mhd_start(flags, requestContinued, context, options)
  }

  private static func option(
    _ name: MHD_OPTION, _ value: Int, pointer: UnsafeMutableRawPointer? = nil
  ) -> MHD_OptionItem {
    unsafe MHD_OptionItem(option: name, value: value, ptr_value: pointer)
  }
}
