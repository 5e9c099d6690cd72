import Foundation
package import MediaLoading
import Synchronization

/// A loader that uses libcurl.
///
/// It stops at an exact byte, cancels immediately, can trust another CA, and checks every server's address
/// before it connects. It uses no proxy, and neither stores nor sends cookies or credentials. All loads share
/// one thread and one pool of connections, which end with the loader.
package final class CurlMediaLoader: MediaLoader {
  private let loop: CurlLoop

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - caFile: The path of PEM certificates to trust instead of the system's.
  ///   - hosts: Addresses by host name, used in place of DNS.
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
