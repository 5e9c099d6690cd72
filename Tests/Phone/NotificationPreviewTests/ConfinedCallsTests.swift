import Foundation
import TestSupport
import Testing
import _Confinement
import _Spawn

/// The outcome of a system call in a process that is confined as the one that draws cards.
enum ConfinedOutcome: Hashable, Sendable {
  /// The filter ended the process.
  case killed
  /// The filter or the kernel answered with this `errno`, 0 for success; or the process ended by itself.
  case answered(Int32)

  /// Makes one system call in a process of its own; arguments that are left out are -1.
  init(_ call: Int32, _ arguments: [Int] = []) async throws {
    let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let child = try ChildProcess(
      folder.appending(path: "ConfinedCalls").path,
      [String(call)] + arguments.map(String.init), keepsErrors: false)
    let code = await child.wait()
    self = code == 128 + SIGSYS ? .killed : .answered(code)
  }
}

@Suite("The system calls of a process that draws cards", .timeLimit(.minutes(10)))
struct ConfinedCallsTests {
  private static let rules = SystemCallRule.rules(channel: ConnectedProcess.descriptor)

  private static func number(_ name: String) throws -> Int32 {
    try #require(SystemCallRule.number(of: name), "libseccomp does not know \(name)")
  }

  @Test("of 500 calls, those without a rule end the process, and the others have their answer")
  func everyCall() async throws {
    var answers: [Int32: SystemCallRule.Answer?] = [:]
    for rule in Self.rules {
      answers.updateValue(
        rule.isUnconditional ? rule.answer : nil, forKey: try Self.number(rule.name))
    }
    #if arch(x86_64)
      // Linux shows uretprobe and uprobe, by which it returns from its own probes, to no filter.
      let unseen: [Int32] = [335, 336]
    #else
      let unseen: [Int32] = []
    #endif
    var killed = 0
    for call in Int32(0)..<500 where !unseen.contains(call) {
      let outcome = try await ConfinedOutcome(call)
      switch answers[call] {
      case nil:
        #expect(outcome == .killed, "system call \(call)")
        killed += 1
      case .some(.allow?): #expect(outcome != .killed, "system call \(call)")
      case .some(.refuse(let error)?): #expect(outcome == .answered(error), "system call \(call)")
      case .some(nil): continue  // The arguments decide.
      }
    }
    #expect(killed > 380)
  }

  @Test(
    "calls that reach other processes, programs, the network or the kernel end the process",
    arguments: [
      "add_key", "bpf", "execve", "execveat", "init_module", "io_uring_setup", "keyctl", "kill",
      "memfd_create", "mount", "perf_event_open", "pidfd_open", "pidfd_send_signal",
      "process_vm_readv", "process_vm_writev", "ptrace", "rt_sigqueueinfo", "rt_tgsigqueueinfo",
      "seccomp", "sendmmsg", "sendmsg", "setns", "shmget", "tgkill", "tkill", "unshare",
      "userfaultfd",
    ])
  func reaching(name: String) async throws {
    #expect(try await ConfinedOutcome(Self.number(name)) == .killed)
  }

  /// A call whose arguments decide.
  struct Call: Sendable, CustomTestStringConvertible {
    var name: String
    var arguments: [Int]
    var outcome: ConfinedOutcome

    init(_ name: String, _ arguments: [Int32], _ outcome: ConfinedOutcome) {
      self.name = name
      self.arguments = arguments.map(Int.init)
      self.outcome = outcome
    }

    var testDescription: String { "\(name) \(arguments)" }
  }

  /// Where the kernel carries a call out, it says that it finds no memory at an address, or no socket.
  private static let calls: [Call] =
    [
      Call("write", [2, 0, 0], .answered(0)), Call("write", [1, 0, 0], .killed),
      Call("write", [3, 0, 0], .killed), Call("writev", [2, 0, 0], .answered(0)),
      Call("writev", [3, 0, 0], .killed), Call("sendto", [3, 0, 0, 0, 0, 0], .answered(EBADF)),
      Call("sendto", [3, 0, 0, 0, 1, 16], .killed), Call("sendto", [4, 0, 0, 0, 0, 0], .killed),
      Call("shutdown", [3, 2], .answered(EBADF)), Call("shutdown", [4, 2], .killed),
      Call("prlimit64", [0, 0, 0, 0], .answered(0)), Call("prlimit64", [1, 0, 0, 0], .killed),
      // PR_SET_NAME and PR_SET_DUMPABLE
      Call("prctl", [15, -1], .answered(EFAULT)), Call("prctl", [4, 1, 0, 0, 0], .killed),
    ]
    + [O_RDONLY, O_RDONLY | O_CLOEXEC | O_DIRECTORY].map {
      Call("openat", [-100, 0, $0, 0], .answered(EFAULT))
    }
    + [O_WRONLY, O_RDWR, O_RDONLY | O_CREAT, O_RDONLY | O_TRUNC, O_RDWR | O_CREAT | O_EXCL].map {
      Call("openat", [-100, 0, $0, 0], .answered(EACCES))
    }
    + [F_GETFD, F_SETFD, F_GETFL].map { Call("fcntl", [2, $0, 0], .answered(0)) }
    // F_SETFL, F_SETOWN, F_SETSIG, F_SETLEASE and F_DUPFD
    + [4, 8, 10, 1024, 0].map { Call("fcntl", [2, $0, 0], .killed) }
    // With CLONE_THREAD alone, whose other flags are missing; with none; as fork(2); with CLONE_VM; in a user namespace.
    + [Call("clone", [0x10000, 0, 0, 0, 0], .answered(EINVAL))]
    + [0, 17, 0x100, 0x1000_0000].map { Call("clone", [$0, 0, 0, 0, 0], .answered(EPERM)) }

  @Test(
    "a call is carried out for the channel, for reading and for this process only", arguments: calls
  )
  func arguments(call: Call) async throws {
    #expect(try await ConfinedOutcome(Self.number(call.name), call.arguments) == call.outcome)
  }

  @Test("calls of another architecture end the process")
  func otherArchitecture() async throws {
    let getpid = try Self.number("getpid")
    #expect(try await ConfinedOutcome(getpid) != .killed)
    // As an x32 program would make it.
    #expect(try await ConfinedOutcome(getpid | 0x4000_0000) == .killed)
  }
}
