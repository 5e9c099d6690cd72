public import Dispatch

// The compiler prefers these methods to Dispatch's, which have parameters with default values. A block keeps the environment
// of the extension that submits it, and delays are on the clock of the extension's host.

extension DispatchQueue {
  /// Runs a block asynchronously.
  ///
  /// - Parameter work: The block.
  public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {
    async(group: nil, execute: UNWorld.carrying(work))
  }

  /// Runs a block asynchronously as a part of a group.
  ///
  /// - Parameters:
  ///   - group: The group.
  ///   - work: The block.
  public func async(
    group: DispatchGroup, execute work: @escaping @Sendable @convention(block) () -> Void
  ) {
    async(group: group, qos: .unspecified, execute: UNWorld.carrying(work))
  }

  /// Runs a block after a time.
  ///
  /// - Parameters:
  ///   - deadline: The time, on the system's clock.
  ///   - work: The block.
  public func asyncAfter(
    deadline: DispatchTime, execute work: @escaping @Sendable @convention(block) () -> Void
  ) {
    let left =
      Int64(clamping: deadline.uptimeNanoseconds)
      - Int64(clamping: DispatchTime.now().uptimeNanoseconds)
    guard deadline != .distantFuture, let world = UNWorld.ofExtension, let schedule = world.schedule
    else { return asyncAfter(deadline: deadline, qos: .unspecified, execute: work) }
    _ = schedule(.nanoseconds(max(0, left))) { world.run { self.async(execute: work) } }
  }

  /// Runs a block after a time.
  ///
  /// - Parameters:
  ///   - wallDeadline: The time, on the wall clock.
  ///   - work: The block.
  public func asyncAfter(
    wallDeadline: DispatchWallTime, execute work: @escaping @Sendable @convention(block) () -> Void
  ) {
    // The raw value is the negative number of nanoseconds since 1970.
    let left =
      Int64(bitPattern: DispatchWallTime.now().rawValue) &- Int64(bitPattern: wallDeadline.rawValue)
    guard wallDeadline != .distantFuture, let world = UNWorld.ofExtension,
      let schedule = world.schedule
    else { return asyncAfter(wallDeadline: wallDeadline, qos: .unspecified, execute: work) }
    _ = schedule(.nanoseconds(max(0, left))) { world.run { self.async(execute: work) } }
  }
}

extension DispatchGroup {
  /// Runs a block when all work of the group is done.
  ///
  /// - Parameters:
  ///   - queue: The queue of the block.
  ///   - work: The block.
  public func notify(
    queue: DispatchQueue, execute work: @escaping @Sendable @convention(block) () -> Void
  ) {
    notify(qos: .unspecified, queue: queue, execute: UNWorld.carrying(work))
  }
}

extension UNWorld {
  /// A block that runs in the environment of the calling code.
  fileprivate static func carrying(
    _ work: @escaping @Sendable @convention(block) () -> Void
  ) -> @Sendable @convention(block) () -> Void {
    guard let world = ofExtension else { return work }
    let run = world.submit()
    return { world.run { run?(work) ?? work() } }
  }
}
