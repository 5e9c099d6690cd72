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
        let (signals, continuation) = AsyncStream<Void>.makeStream()
        let sources = [SIGTERM, SIGINT].map { number in
          signal(number, SIG_IGN)
          let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
          source.setEventHandler { continuation.yield() }
          source.resume()
          return source
        }
        for await _ in signals { break }
        for source in sources { source.cancel() }
      },
      hasLostOutput: { output.isLost })
  }
}
