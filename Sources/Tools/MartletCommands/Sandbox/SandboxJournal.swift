import Foundation
import PushPayload
import Synchronization

/// The file of `martlet apns-sandbox --journal`, with one line of JSON for each request.
///
/// Lines with the member `delivery` say what became of a push to a phone that is offline.
final class SandboxJournal: Sendable {
  private struct State {
    /// Whether the file ends within a line, for example after a kill or on a full disk.
    var isTorn: Bool
    var hasFailed = false
  }

  private let path: String
  private let printError: @Sendable (String) -> Void
  private let file: FileHandle
  private let state: Mutex<State>

  /// Opens a journal, and appends to an existing one.
  ///
  /// - Throws: ``CommandFailure`` if the file cannot be written.
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
        // The file may have a part of the line, which the next line must not continue.
        state.isTorn = true
        // The failure is reported once, because the next requests will also fail.
        guard !state.hasFailed else { return }
        state.hasFailed = true
        printError(
          "martlet apns-sandbox: cannot write the journal \(path), which lacks requests from now on: "
            + "is the disk full?")
      }
    }
  }

  /// Whether the last byte of a file does not end a line; `false` for a pipe, or if the file cannot be read.
  private static func isTorn(_ path: String, _ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let file = FileHandle(forReadingAtPath: path), let end = try? file.seekToEnd(), end > 0,
      (try? file.seek(toOffset: end - 1)) != nil, let last = try? file.read(upToCount: 1)
    else { return false }
    return last != Data("\n".utf8)
  }

  /// Reads the requests of a journal, and the numbers of its damaged lines, from 1.
  ///
  /// An incomplete last line is not read.
  static func read(_ bytes: Data) -> (requests: [JSONValue], damaged: [Int]) {
    var (requests, damaged): ([JSONValue], [Int]) = ([], [])
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.dropLast().enumerated() {
      if let request = try? JSONValue(parsing: Data(line)), request["connection"]?.integer != nil,
        request["stream"]?.integer != nil
      {
        if request["delivery"] == nil { requests.append(request) }
      } else {
        damaged.append(index + 1)
      }
    }
    return (requests, damaged)
  }
}
