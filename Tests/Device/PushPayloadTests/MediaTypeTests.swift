import PushPayload
import TestSupport
import Testing

@Suite("Media types")
struct MediaTypeTests {
  @Test(
    "the first bytes decide the type",
    arguments: [
      ("FF D8 FF E0", MediaType.jpeg), ("FF D8 FF E1", .jpeg), ("FF D8 FF DB", .jpeg),
      ("FF D8 FF EE", .jpeg),
      ("89 50 4E 47 0D 0A 1A 0A", .png), ("'GIF87a'", .gif), ("'GIF89a'", .gif),
      ("'FORM' 00 00 00 00 'AIFF'", .aiff), ("'RIFF' 00 00 00 00 'WAVE'", .wav),
      ("'ID3' 04 00 00 00 00 02 01", .mp3), ("'ID3' 03 00 40 00 00 02 01", .mp3),
      ("'ID3' 02 00 00 00 00 02 01", .mp3), ("FF FB 90 64", .mp3), ("FF F3 40 C0", .mp3),
      ("FF F1 50 80", .aac), ("FF F9 4C 80", .aac), ("'FORM' 00 00 00 00 'AIFC'", .aifc),
      ("'caff' 00 01", .caf),
      ("00 00 00 20 'ftypM4A '", .m4a), ("00 00 00 20 'ftypisom'", .mpeg4),
      ("00 00 00 20 'ftypmp42'", .mpeg4),
      ("00 00 00 20 'ftypM4V '", .m4v), ("00 00 00 14 'ftypqt  '", .quickTime),
      ("00 00 00 08 'wide'", .quickTime),
      ("00 00 00 18 'ftypheic'", .heic), ("00 00 00 14 'ftypmif1' 00 00 00 00 'heic'", .heic),
      ("00 00 00 18 'ftypmsf1' 00 00 00 00 'msf1hevc'", .heic),
      ("00 00 00 14 'ftypmif1' 00 00 00 00 'avif'", .avif), ("00 00 00 14 'ftypavif'", .avif),
      ("00 00 00 10 'ftypmif1' 00 00 00 00 'heic'", .heif),
      ("00 00 00 14 'ftyp3gp5'", .threeGPP), ("00 00 01 BA", .mpeg), ("00 00 01 B3", .mpeg2),
      ("'RIFF' 00 00 00 00 'AVI '", .avi), ("'RIFF' 00 00 00 00 'WEBP'", .webP),
      ("'%PDF-1.7'", .pdf), ("'II' 2A 00", .tiff), ("'MM' 00 2A", .tiff),
      ("'BM' 46 00 00 00 00 00 00 00", .bmp), ("00 00 01 00 01 00 10 10 00 00", .ico),
      ("1A 45 DF A3 01 42 82 84 'webm'", .webM), ("1A 45 DF A3 01 42 82 88 'matroska'", .matroska),
      ("'OggS' 00", .ogg), ("'fLaC' 00 00 00 22", .flac), ("'FLV' 01 05", .flash),
      ("'PK' 03 04", .zip), ("1F 8B 08", .gzip),
      ("0A '<!DOCTYPE html>'", .html), ("EF BB BF '<html>'", .html), ("'<svg xmlns'", .svg),
      ("'<?xml version><svg>'", .svg), ("'<?xml version>'", .xml), ("'{}'", .json),
      ("' [1]'", .json), ("'<!-- a --><svg>'", .svg), ("'hello'", .plainText),
      ("'RIFF'", .plainText),
      ("'ID3 is a tag of MP3 files'", .plainText), ("'BMW sells cars'", .plainText),
      ("'Caf' C3 A9", .plainText), ("'The free plan'", .plainText),
    ] as [(String, MediaType)])
  func signature(text: String, type: MediaType) {
    #expect(MediaType(signature: Self.bytes(text)) == type)
  }

  @Test(
    "other bytes have no type",
    arguments: [
      "", "00", "FF D8", "FF FF FF FF", "FF E0 00 00", "'ID3' 04 00", "'ID3' 09 00 00 00 00 00 00",
      "'ID3' 04 00 00 FF 00 00 00", "FF F1 7C 80", "00 00 00 20 'ftypcrx '", "'Caf' C3",
      "'ab' 00 'c'", "00 00 01 00 00 00",
    ])
  func unknown(text: String) { #expect(MediaType(signature: Self.bytes(text)) == nil) }

  @Test(
    "real files are recognized",
    arguments: [
      ("cloudy.gif", MediaType.gif), ("picture.png", .png), ("photo.jpg", .jpeg),
      ("gold.mp4", .mpeg4),
      ("chime.mp3", .mp3), ("chime.wav", .wav), ("not-an-image.png", .html),
    ])
  func files(name: String, type: MediaType) throws {
    #expect(MediaType(signature: try Fixtures.bytes("media/\(name)")) == type)
  }

  @Test(
    "the limits are Apple's: 5 MB for audio, 10 MB for images, 50 MB for movies, none for the rest")
  func limits() {
    #expect(MediaType.mp3.family.maximumBytes == 5_000_000)
    #expect(MediaType.gif.family.maximumBytes == 10_000_000)
    #expect(MediaType.mpeg4.family.maximumBytes == 50_000_000)
    #expect(MediaType.all.filter { !$0.isSupported }.allSatisfy { $0.family.maximumBytes == 0 })
  }

  @Test(
    "an extension or a MIME type means one type, whatever its case",
    arguments: [
      ("JPG", "image/jpeg; charset=binary", MediaType.jpeg), ("mov", "Video/QuickTime", .quickTime),
      ("htm", "text/html;charset=utf-8", .html),
    ])
  func names(pathExtension: String, mime: String, type: MediaType) {
    #expect(MediaType(pathExtension: pathExtension) == type)
    #expect(MediaType(mimeType: mime) == type)
    #expect(MediaType(identifier: type.identifier) == type)
  }

  @Test("no extension and no MIME type belongs to two types")
  func unique() {
    let extensions = MediaType.all.flatMap(\.extensions)
    let mimes = MediaType.all.flatMap(\.mimeTypes)
    #expect(Set(extensions).count == extensions.count)
    #expect(Set(mimes).count == mimes.count)
  }

  @Test("random bytes never trap", arguments: [7, 8] as [UInt64])
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let count = Int.random(in: 0...600, using: &random)
      _ = MediaType(
        signature: (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }
  }

  /// The bytes of a text with hexadecimal bytes and strings in single quotes.
  private static func bytes(_ text: String) -> [UInt8] {
    text.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap {
      index, part in
      index % 2 == 1
        ? Array(part.utf8) : part.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }
  }
}
