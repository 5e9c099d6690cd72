#if os(Linux)
  import _Spawn

  /// Runs a program to its end and returns what it printed.
  package func runProgram(
    _ program: String, _ arguments: [String]
  ) async -> (status: Int32, output: String) {
    do {
      let child = try ChildProcess(program, arguments, keepsErrors: false)
      var lines: [String] = []
      for await line in child.lines { lines.append(line) }
      return (await child.wait(), lines.joined(separator: "\n"))
    } catch {
      return (-1, "\(error)")
    }
  }
#endif
