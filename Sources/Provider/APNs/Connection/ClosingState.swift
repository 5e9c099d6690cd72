/// Whether a transport is closed, and the tasks that wait for connections to end.
struct ClosingState {
  /// A task that waits until connections with earlier credentials have ended.
  private struct Rotation {
    var connections: Set<Int>
    let continuation: CheckedContinuation<Void, Never>
  }

  private(set) var isClosed = false
  private var closers: [CheckedContinuation<Void, Never>] = []
  private var rotations: [Rotation] = []

  /// Whether a task waits for connections with earlier credentials.
  var isRotating: Bool { !rotations.isEmpty }

  /// Stops the transport from taking pushes.
  mutating func close() { isClosed = true }

  mutating func add(_ closer: CheckedContinuation<Void, Never>) { closers.append(closer) }

  /// Resumes the tasks that wait for the transport to close.
  mutating func resumeClosers() {
    for closer in closers { closer.resume() }
    closers = []
  }

  /// Adds a task; it is resumed at once if there is no connection to wait for.
  mutating func add(
    _ continuation: CheckedContinuation<Void, Never>, waitingFor connections: Set<Int>
  ) {
    rotations.append(Rotation(connections: connections, continuation: continuation))
    resumeFinishedRotations()
  }

  /// A connection has ended.
  mutating func connectionEnded(_ id: Int) {
    guard !rotations.isEmpty else { return }
    for index in rotations.indices { rotations[index].connections.remove(id) }
    resumeFinishedRotations()
  }

  private mutating func resumeFinishedRotations() {
    for index in rotations.indices.reversed() where rotations[index].connections.isEmpty {
      rotations.remove(at: index).continuation.resume()
    }
  }
}
