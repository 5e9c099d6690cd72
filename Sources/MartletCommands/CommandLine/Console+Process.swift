import Dispatch
import Foundation

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
      untilTerminated: {
        await handleSignals([SIGTERM, SIGINT]) { false }
      },
      onReload: { reload in
        await handleSignals([SIGHUP]) {
          reload()
          return true
        }
      },
      hasLostOutput: { output.isLost })
  }
}

/// Handles each of the signals, which then have no other effect, until `handle` returns `false` or the task is cancelled.
private func handleSignals(_ numbers: [Int32], _ handle: () -> Bool) async {
  let (signals, continuation) = AsyncStream<Void>.makeStream()
  let sources = numbers.map { number in
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { continuation.yield() }
    source.resume()
    return source
  }
  for await _ in signals {
    guard handle() else { break }
  }
  for source in sources { source.cancel() }
}
