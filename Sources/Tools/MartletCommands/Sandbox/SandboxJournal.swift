import Foundation
import PushPayload
import Synchronization

/// The file of `martlet apns-sandbox --journal`: one line of JSON for each request.
final class SandboxJournal: Sendable {
  private struct State {
    /// Whether the file ends inside a line, as after a kill or on a full disk.
    var isTorn: Bool
    var hasFailed = false
  }

  private let path: String
  private let printError: @Sendable (String) -> Void
  private let file: FileHandle
  private let state: Mutex<State>

  /// Opens a journal, which goes on where it ends.
  ///
  /// - Throws: ``CommandFailure`` where the file cannot be written.
  init(_ path: String, printError: @escaping @Sendable (String) -> Void) throws {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandFailure("cannot write the journal \(path): \(String(cString: strerror(errno)))")
    }
    self.path = path
    self.printError = printError
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    state = Mutex(State(isTorn: Self.isTorn(path, descriptor)))
  }

  /// Adds a line.
  func add(_ line: String) {
    state.withLock { state in
      do {
        try file.write(contentsOf: Data(((state.isTorn ? "\n" : "") + line + "\n").utf8))
        state.isTorn = false
      } catch {
        // A part of the line may be in the file: the next one must not go on in it.
        state.isTorn = true
        // Once, for the next requests will fare no better.
        guard !state.hasFailed else { return }
        state.hasFailed = true
        printError(
          "martlet apns-sandbox: cannot write the journal \(path), which lacks requests from now on: "
            + "is the disk full?")
      }
    }
  }

  /// Whether the last byte of a file ends no line; a pipe, and a file that cannot be read, is taken as whole.
  private static func isTorn(_ path: String, _ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let file = FileHandle(forReadingAtPath: path), let end = try? file.seekToEnd(), end > 0,
      (try? file.seek(toOffset: end - 1)) != nil, let last = try? file.read(upToCount: 1)
    else { return false }
    return last != Data("\n".utf8)
  }

  /// Reads the requests of a journal, and the numbers of the lines that are damaged, from 1.
  ///
  /// The end of a line that is being written is not read.
  static func read(_ bytes: Data) -> (requests: [JSONValue], damaged: [Int]) {
    var (requests, damaged): ([JSONValue], [Int]) = ([], [])
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.dropLast().enumerated() {
      if let request = try? JSONValue(parsing: Data(line)), request["connection"]?.integer != nil,
        request["stream"]?.integer != nil
      {
        requests.append(request)
      } else {
        damaged.append(index + 1)
      }
    }
    return (requests, damaged)
  }
}
