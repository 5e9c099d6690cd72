import Foundation
package import MediaLoading
import Synchronization

/// Fetches media with libcurl: exact stop at a byte count, a private CA, an immediate cancel.
///
/// All loads share one thread and one pool of connections, both of which end with the loader.
package final class CurlMediaLoader: MediaLoader {
  private let loop: CurlLoop

  /// - Parameter caFile: PEM certificates to trust instead of the system's.
  package init(caFile: String? = nil) {
    loop = CurlLoop(caFile: caFile)
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
