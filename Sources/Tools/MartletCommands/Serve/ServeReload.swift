import PushServer
import Synchronization

/// What SIGHUP changes in a running `serve`: the certificate and its key, and the log.
///
/// The command line and the environment of a process stay as they are, so another value comes from
/// the file of `--config`. Options that are not taken over are named, for they need a restart.
struct ServeReload: Sendable {
  /// The options that a running server takes over.
  static let takenOver: Set<String> = [
    ServeSettings.Options.tlsCertificate.definition.name,
    ServeSettings.Options.tlsKey.definition.name,
    ServeSettings.Options.logFormat.definition.name,
    ServeSettings.Options.logLevel.definition.name,
  ]

  /// The arguments without the configuration file, which is read at each signal.
  let arguments: Arguments
  /// The arguments with the file as it was at the start.
  let started: Arguments

  /// Reads file, certificate and key again, and takes over what can be.
  ///
  /// Nothing changes where the file or an option is wrong.
  func run(_ server: PushServer, _ log: RunningLog) {
    let settings: ServeSettings
    let now: Arguments
    do {
      now = try arguments.withConfigurationFile()
      settings = try ServeSettings(now)
    } catch {
      return log.write("SIGHUP: everything stays as it was: \(error.sentence)", level: .error)
    }
    log.change(to: settings.log)
    var waiting = Self.changes(from: started, to: now).filter { !Self.takenOver.contains($0) }
    let hadCertificate = (try? started[ServeSettings.Options.tlsCertificate]) != nil
    if (settings.tlsFiles != nil) != hadCertificate {
      waiting.append(ServeSettings.Options.tlsCertificate.definition.name)
    } else {
      takeCertificate(of: settings, server, log)
    }
    if !waiting.isEmpty {
      log.write(
        "SIGHUP: these options have other values now and need a restart: "
          + waiting.sorted().joined(separator: ", "), level: .warning)
    }
  }

  private func takeCertificate(
    of settings: ServeSettings, _ server: PushServer, _ log: RunningLog
  ) {
    do {
      guard let tls = try settings.readCertificate() else {
        return log.write("SIGHUP: there is no certificate to read again", level: .info)
      }
      try server.setCertificate(tls.certificatePEM, keyPEM: tls.keyPEM)
      log.write("SIGHUP: new connections get the certificate as it is now", level: .info)
    } catch {
      log.write("SIGHUP: the certificate stays as it was: \(error.sentence)", level: .error)
    }
  }

  /// The names of the options of `serve` whose values differ.
  static func changes(from old: Arguments, to new: Arguments) -> [String] {
    ServeSettings.Options.all.map(\.definition).filter { option in
      old.given(option).texts != new.given(option).texts
    }.map(\.name)
  }
}

/// The log of a running `serve`, whose form and level SIGHUP may change.
final class RunningLog: Sendable {
  private let log: Mutex<ServeLog>
  private let console: Console

  init(_ log: ServeLog, console: Console) {
    self.log = Mutex(log)
    self.console = console
  }

  func change(to new: ServeLog) { log.withLock { $0 = new } }

  func write(_ message: String, level: ServeLog.Level, request: String? = nil) {
    log.withLock(\.self).write(message, level: level, request: request, to: console)
  }

  func write(_ line: RequestLine) { log.withLock(\.self).write(line, to: console) }
}
