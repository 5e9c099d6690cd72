import Foundation
package import MediaLoading
import Synchronization

/// Fetches media with libcurl: exact stop at a byte count, a private CA, an immediate cancel, and every
/// server's address seen before a connection to it.
///
/// It speaks to the server itself, by no proxy; no cookie and no credential is kept or sent.
/// All loads share one thread and one pool of connections, both of which end with the loader.
package final class CurlMediaLoader: MediaLoader {
  private let loop: CurlLoop

  /// - Parameters:
  ///   - caFile: PEM certificates to trust instead of the system's.
  ///   - hosts: Addresses of names, which are then not looked up.
  package init(caFile: String? = nil, hosts: [String: String] = [:]) {
    loop = CurlLoop(CurlLoop.Configuration(caFile: caFile, hosts: hosts))
    let loop = loop
    let thread = Thread { loop.run() }
    thread.name = "martlet.curl"
    thread.start()
  }

  deinit { loop.stop() }

  package func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad {
    let number = loop.start(request, sink)
    return Load(loop: loop, number: number)
  }

  private struct Load: MediaLoad {
    let loop: CurlLoop
    let number: UInt64
    func cancel() { loop.cancel(number) }
  }
}
