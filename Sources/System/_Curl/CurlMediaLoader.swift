import Dispatch
package import MediaLoading
import Synchronization

/// A loader that uses libcurl.
///
/// It stops at an exact byte, cancels immediately, can trust another CA, and checks every server's address
/// before it connects. It uses no proxy, and neither stores nor sends cookies or credentials. All loads share
/// one thread and one pool of connections, which end with the loader.
package final class CurlMediaLoader: MediaLoader {
  private let loop: CurlLoop
  /// The error of each load if the loop has no thread; `nil` if it runs.
  private let problem: MediaLoadError?

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - caFile: The path of PEM certificates to trust instead of the system's.
  ///   - hosts: Addresses by host name, used in place of DNS.
  package convenience init(caFile: String? = nil, hosts: [String: String] = [:]) {
    self.init(
      caFile: caFile, hosts: hosts,
      startThread: { try BlockingThread.start(named: "martlet.curl", $0) })
  }

  init(
    caFile: String? = nil, hosts: [String: String] = [:], startThread: BlockingThread.Start
  ) {
    let loop = CurlLoop(CurlLoop.Configuration(caFile: caFile, hosts: hosts))
    var problem: MediaLoadError?
    do {
      try startThread { loop.run() }
    } catch {
      problem = MediaLoadError(.network, "libcurl has no thread", cause: error)
    }
    self.loop = loop
    self.problem = problem
  }

  deinit { loop.stop() }

  package func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad {
    if let problem {
      // Asynchronously, because the caller may hold a lock that the sink needs.
      DispatchQueue.global().async { sink.finish(problem) }
      return EndedLoad()
    }
    let number = loop.start(request, sink)
    return Load(loop: loop, number: number)
  }

  private struct Load: MediaLoad {
    let loop: CurlLoop
    let number: UInt64
    func cancel() { loop.cancel(number) }
  }

  private struct EndedLoad: MediaLoad {
    func cancel() {}
  }
}
