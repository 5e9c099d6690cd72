import PushPayload
import Testing

@Suite("Decisions of a file's type")
struct MediaTypeDecisionTests {
  static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  /// Bytes of no known type.
  static let unknown: [UInt8] = [0x00, 0x01, 0x02, 0x03]

  struct Row: CustomTestStringConvertible {
    var testDescription: String
    var head = unknown
    var mimeType: String?
    var declared: MediaType?
    var url = "https://a.gif/"
    var type: MediaType?
    var source: MediaTypeDecision.Source = .bytes
  }

  @Test(
    "bytes, then Content-Type, payload, path and query decide",
    arguments: [
      Row(
        testDescription: "bytes are preferred to all others", head: png, mimeType: "image/gif",
        declared: .mp3, url: "https://a/b.mp4?filename=x.wav", type: .png),
      Row(
        testDescription: "a web page is HTML under any name", head: Array("<html>".utf8),
        mimeType: "image/png", declared: .png, url: "https://a/b.png", type: .html),
      Row(
        testDescription: "text is text under any name", head: Array("not found".utf8),
        mimeType: "image/png",
        type: .plainText),
      Row(
        testDescription: "Content-Type before the payload", mimeType: "Video/MPEG; a=b",
        declared: .mp3, url: "https://a/b.mp4", type: .mpeg, source: .mimeType),
      Row(
        testDescription: "a Content-Type of an unknown type is ignored",
        mimeType: "application/octet-stream", declared: .mp3, url: "https://a/b.mp4", type: .mp3,
        source: .sender),
      Row(
        testDescription: "a Content-Type of a web page is ignored", mimeType: "text/html",
        declared: .webP,
        url: "https://a/b.MOV?x=y.mp3", type: .quickTime, source: .pathExtension),
      Row(
        testDescription: "filename= before other values",
        url: "https://a/b.php?v=1.mp3&filename=x.mpg#c.mov", type: .mpeg, source: .query),
      Row(
        testDescription: "any other value of the query comes last",
        url: "https://a/b?v=1&w=dir/2.mp3", type: .mp3,
        source: .query),
      Row(testDescription: "the host is not a file name", url: "https://a.mp3", type: nil),
      Row(
        testDescription: "a folder has no file name extension", url: "https://a/b.mp3/c", type: nil),
      Row(
        testDescription: "a bundled file has only a path", url: "movie.mpg", type: .mpeg,
        source: .pathExtension),
      Row(
        testDescription: "a type with a signature is ignored where the bytes do not have it",
        mimeType: "image/png", declared: .jpeg, url: "https://a/b.gif?filename=c.mp4", type: nil),
      Row(testDescription: "no source gives a type", mimeType: "", url: "?&=&#", type: nil),
      Row(
        testDescription: "an empty file has no type", head: [], mimeType: "image/png", type: nil),
    ])
  func decision(row: Row) {
    let decision = MediaTypeDecision(
      head: row.head, mimeType: row.mimeType, declared: row.declared, url: row.url)
    #expect(decision?.type == row.type)
    if row.type != nil { #expect(decision?.source == row.source) }
  }
}
