import Foundation
import MediaLoading
import Testing
import URLSessionMedia
import _Curl

/// The loaders, which must behave alike. On Linux `URLSession` accepts no private authority, so
/// the common tests use plain HTTP.
enum Loader: CaseIterable, CustomTestStringConvertible {
  case curl, urlSession

  var testDescription: String { self == .curl ? "libcurl" : "URLSession" }

  func make() -> any MediaLoader {
    switch self {
    case .curl: CurlMediaLoader()
    case .urlSession: URLSessionMediaLoader()
    }
  }

  /// Loads a request and waits for the end.
  func load(
    _ request: MediaRequest, refusesHead: Bool = false, limit: Int = .max
  ) async -> RecordingSink.Result {
    let loader = make()
    let sink = RecordingSink(refusesHead: refusesHead, limit: limit)
    _ = loader.load(request, into: sink)
    return await withExtendedLifetime(loader) { sink }.result()
  }

  func load(_ url: URL, refusesHead: Bool = false, limit: Int = .max) async -> RecordingSink.Result
  {
    await load(MediaRequest(url: url), refusesHead: refusesHead, limit: limit)
  }
}
