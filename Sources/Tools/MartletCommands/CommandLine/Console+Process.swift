import Dispatch
import Foundation
import Synchronization

extension Console {
  /// The console of this process.
  package static var process: Console {
    let output = StandardOutput()
    return Console(
      environment: ProcessInfo.processInfo.environment,
      print: output.print,
      printError: { line in
        // A failure here cannot be reported anywhere.
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
      },
      readInput: { try FileHandle.standardInput.read(upToCount: $0) ?? Data() },
      readLine: { Swift.readLine() },
      isTerminal: isatty(STDOUT_FILENO) == 1 && isatty(STDIN_FILENO) == 1,
      terminations: { await signals([SIGTERM, SIGINT]) },
      reloads: { await signals([SIGHUP]) },
      hasLostOutput: { output.isLost })
  }
}

/// Handles signals, which then have no other effect, until nobody reads the stream any more.
///
/// Dispatch needs some time to handle a signal after a source is resumed, so this waits until it does.
private func signals(_ numbers: [Int32]) async -> AsyncStream<Void> {
  let (signals, continuation) = AsyncStream<Void>.makeStream()
  let sources = numbers.map { number in
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { continuation.yield() }
    return source
  }
  for source in sources {
    await withCheckedContinuation { registered in
      source.setRegistrationHandler { registered.resume() }
      source.resume()
    }
  }
  let taken = Mutex(sources)
  continuation.onTermination = { _ in
    taken.withLock { for source in $0 { source.cancel() } }
  }
  return signals
}
