import CLinux
import Glibc

/// A request body that is arriving, in memory up to ``memoryLimit``, and beyond that in a file without a name.
final class CollectedBody {
  /// The most bytes of one arriving body in memory.
  static let memoryLimit = 64 << 10

  private let budget: BodyBudget
  private let folder: String
  private let cost: BodyCost
  private var bytes: [UInt8] = []
  private var file: NamelessFile?
  private(set) var count = 0
  /// The memory that the handler needs for the received bytes.
  private var handlingCost = 0
  /// The memory taken from the budget.
  private var taken = 0
  private var takenOnDisk = 0

  init(budget: BodyBudget, folder: String, cost: BodyCost = .bytes) {
    self.budget = budget
    self.folder = folder
    self.cost = cost
  }

  deinit {
    budget.releaseArriving(taken)
    budget.releaseDisk(takenOnDisk)
  }

  /// Adds received bytes.
  ///
  /// - Returns: The refusal if they cannot be stored; `nil` if they were added.
  func append(_ more: ArraySlice<UInt8>) -> HTTPResponse? {
    count += more.count
    handlingCost += cost.cost(of: more)
    guard handlingCost <= budget.largest else { return .tooCostly(budget.largest) }
    if file == nil, count <= Self.memoryLimit, budget.take(more.count) {
      taken += more.count
      bytes += more
      return nil
    }
    let isFirst = file == nil
    if isFirst { file = NamelessFile(in: folder) }
    let size = isFirst ? count : more.count
    guard let file, budget.takeDisk(size) else { return .noSpace }
    takenOnDisk += size
    if isFirst {
      guard file.append(bytes[...]) else { return .noSpace }
      bytes = []
      budget.releaseArriving(taken)
      taken = 0
    }
    return file.append(more) ? nil : .noSpace
  }

  /// Hands the body over to the task that handles it.
  func complete() -> CompleteBody {
    defer { (taken, takenOnDisk) = (0, 0) }
    return CompleteBody(
      budget: budget, bytes: bytes, file: file, count: count, cost: handlingCost, taken: taken,
      takenOnDisk: takenOnDisk)
  }
}

/// A complete request body, which counts in the budget until ``release()``.
struct CompleteBody: Sendable {
  fileprivate let budget: BodyBudget
  fileprivate let bytes: [UInt8]
  fileprivate let file: NamelessFile?
  fileprivate let count: Int
  fileprivate let cost: Int
  fileprivate let taken: Int
  fileprivate let takenOnDisk: Int

  /// The least number of bytes of a body that a ``LargeBodyExecutor`` handles.
  static let largeCount = 16 << 10

  var isLarge: Bool { count >= Self.largeCount }

  /// Calls a handler with the bytes as soon as the budget has the memory that it needs for them.
  ///
  /// A request without a body does not wait.
  func handle(
    _ body: ([UInt8]) async -> HTTPResponse
  ) async -> HTTPResponse {
    guard count > 0 else { return await body([]) }
    defer { budget.releaseDisk(takenOnDisk) }
    let isAdmitted = await budget.acquire(cost)
    budget.releaseArriving(taken)
    guard isAdmitted else { return .noMemory }
    defer { budget.releaseHandled(cost) }
    guard let file else { return await body(bytes) }
    guard let bytes = file.read(count) else { return .noSpace }
    return await body(bytes)
  }
}

/// A temporary file that no folder lists, so that the system removes it with its descriptor.
final class NamelessFile: Sendable {
  private let descriptor: Int32

  init?(in folder: String) {
    let descriptor = unsafe martlet_nameless_file(folder)
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Returns `false` if the disk is full.
  func append(_ bytes: ArraySlice<UInt8>) -> Bool {
    unsafe bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let count = unsafe write(
          descriptor, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
        guard count > 0 || errno == EINTR else { return false }
        written += max(0, count)
      }
      return true
    }
  }

  func read(_ count: Int) -> [UInt8]? {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let part = unsafe pread(
          descriptor, buffer.baseAddress.map { unsafe $0 + filled }, count - filled, filled)
        guard part > 0 || part < 0 && errno == EINTR else { return }
        filled += max(0, part)
      }
    }
    return bytes.count == count ? bytes : nil
  }
}

extension HTTPResponse {
  static let noSpace = refusal(
    status: 503, "the server has no room for the body on its disk; try again later",
    headers: [("Retry-After", "10")])
  static let noMemory = refusal(
    status: 503, "the server is handling too many large bodies; try again later",
    headers: [("Retry-After", "1")])

  static func tooCostly(_ largest: Int) -> HTTPResponse {
    refusal(
      status: 413,
      "the body has too many values to be handled in \(largest) bytes of memory; send fewer at a time"
    )
  }
}
