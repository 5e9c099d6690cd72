import PushModel
import PushServer
import Synchronization
import _TLS

/// The parts of a running `serve` that SIGHUP changes: the certificate and its key, and the log.
///
/// The command line and the environment of a process do not change, so new values come from the
/// file of `--config`. Changed options that need a restart are named in the log.
struct ServeReload: Sendable {
  /// The options that a running server adopts.
  static let takenOver: Set<String> = [
    ServeSettings.Options.tlsCertificate.definition.name,
    ServeSettings.Options.tlsKey.definition.name,
    ServeSettings.Options.logFormat.definition.name,
    ServeSettings.Options.logLevel.definition.name,
  ]

  /// The arguments without the configuration file, which is read at each signal.
  let arguments: Arguments
  /// The arguments with the configuration file from the start.
  let started: Arguments

  /// Reads the configuration file, the certificate and its key again, and adopts the changes that it can.
  ///
  /// If the file or an option is wrong, nothing changes.
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
      let identity = try? TLSIdentity(certificatePEM: tls.certificatePEM, keyPEM: tls.keyPEM)
      // A date that cannot be read is the last one, which has no milliseconds.
      let end = identity.map { $0.notAfter.multipliedReportingOverflow(by: 1000) }
      let until = end.flatMap { $0.overflow ? nil : Timestamp(milliseconds: $0.partialValue) }
      log.write(
        "SIGHUP: new connections get the certificate as it is now"
          + (until.map { ", valid until \($0.iso8601)" } ?? ""), level: .info)
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

/// The log of a running `serve`, whose format and level SIGHUP can change.
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
