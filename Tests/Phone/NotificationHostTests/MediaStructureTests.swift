import Foundation
import NotificationHost
import TestSupport
import Testing

@Suite("The structure of an attached file", .timeLimit(.minutes(10)))
struct MediaStructureTests {
  static let files = [
    ("picture.png", "public.png"), ("photo.jpg", "public.jpeg"),
    ("cloudy.gif", "com.compuserve.gif"), ("gold.mp4", "public.mpeg-4"),
    ("chime.mp3", "public.mp3"), ("chime.wav", "com.microsoft.waveform-audio"),
  ]

  private func fault(_ bytes: some Sequence<UInt8>, as type: String) throws -> String? {
    let folder = TemporaryFolder()
    return MediaStructure.fault(of: try folder.write(bytes, to: "file"), type: type)
  }

  @Test("a whole file is right, also with bytes behind it", arguments: files)
  func whole(name: String, type: String) throws {
    let bytes = try Fixtures.bytes("media/\(name)")
    #expect(try fault(bytes, as: type) == nil)
    #expect(try fault(bytes + [UInt8](repeating: 0, count: 70_000), as: type) == nil)
  }

  @Test("an incomplete file is corrupt, wherever it ends", arguments: files)
  func truncated(name: String, type: String) throws {
    let bytes = try Fixtures.bytes("media/\(name)")
    // What is behind the last cut may be padding, and an MP3 is played up to its end.
    let ends =
      name == "chime.mp3" ? [0, 1, 4, 100] : [0, 1, 8, 20, 50, bytes.count / 2, bytes.count - 20]
    for end in ends {
      #expect(try fault(bytes.prefix(end), as: type) != nil, "\(name) of \(end) bytes")
    }
  }

  @Test(
    "what is no media says what it is",
    arguments: [
      ("", "the file is empty"), ("<html><h1>404</h1></html>", "HTML"), ("\n <?xml ", "XML"),
      (#"{"error": 404}"#, "JSON"), ("[1]", "JSON"), ("Not found", "text"),
      ("\u{1}\u{2}\u{3}", "another format"),
    ])
  func other(text: String, message: String) throws {
    for type in ["public.png", "public.mp3", "public.mpeg-4"] {
      let fault = try #require(try fault(text.utf8, as: type))
      #expect(fault.contains(message), "\(fault)")
    }
  }

  @Test("a format of the same kind is decoded under any name, and of another kind it is not")
  func kinds() throws {
    let kinds = [[0, 1, 2], [3], [4, 5]]
    for (index, file) in Self.files.enumerated() {
      let bytes = try Fixtures.bytes("media/\(file.0)")
      for (other, type) in Self.files.map(\.1).enumerated() {
        // The sound of a movie is played.
        let isSame =
          kinds.contains { $0.contains(index) && $0.contains(other) } || index == 3 && other > 3
        #expect((try fault(bytes, as: type) == nil) == isSame, "\(file.0) as \(type)")
      }
    }
  }

  @Test("the one pixel of the kit is a picture, and its signature alone is none")
  func onePixel() throws {
    guard case .bytes(let bytes) = ScriptedNetwork.Body.onePixelPNG else { return }
    #expect(try fault(bytes, as: "public.png") == nil)
    for end in 0..<bytes.count {
      #expect(try fault(bytes.prefix(end), as: "public.png") != nil, "\(end) bytes")
    }
  }

  @Test("mutated files end with an answer", arguments: files)
  func hostile(name: String, type: String) throws {
    let bytes = try Fixtures.bytes("media/\(name)")
    var random = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      var mutated = bytes
      for _ in 0..<8 {
        let limit = Bool.random(using: &random) ? 64 : mutated.count
        mutated[Int.random(in: 0..<limit, using: &random)] =
          [0, 0x7F, 0x80, 0xFF]
          .randomElement(using: &random) ?? 0
      }
      _ = try fault(mutated, as: type)
    }
  }

  static let program = "/usr/bin/ffmpeg"

  @Test(
    "files of FFmpeg are right, and half of each is not",
    .enabled(if: FileManager.default.isExecutableFile(atPath: Self.program)),
    arguments: [
      ("a.png", "public.png", ""), ("a.jpg", "public.jpeg", ""),
      ("a.gif", "com.compuserve.gif", ""),
      ("a.mp4", "public.mpeg-4", ""), ("a.mov", "com.apple.quicktime-movie", ""),
      ("fast.mp4", "public.mpeg-4", "-movflags faststart"), ("a.avi", "public.avi", ""),
      ("parts.mp4", "public.mpeg-4", "-movflags frag_keyframe+empty_moov"),
      ("a.m4a", "com.apple.m4a-audio", "-vn"), ("a.wav", "com.microsoft.waveform-audio", "-vn"),
      ("a.aiff", "public.aiff-audio", "-vn"), ("a.au", "public.au-audio", "-vn"),
      ("a.caf", "com.apple.coreaudio-format", "-vn"), ("a.ac3", "public.ac3-audio", "-vn"),
      ("a.mpg", "public.mpeg", ""),
    ])
  func ffmpeg(name: String, type: String, options: String) async throws {
    let folder = TemporaryFolder()
    let isPicture = ["a.png", "a.jpg"].contains(name)
    let input = ["-f", "lavfi", "-i", "testsrc=size=320x240:rate=25:duration=1"]
    let sound = ["-f", "lavfi", "-i", "sine=duration=1"]
    let extra = isPicture ? ["-frames:v", "1"] : options.split(separator: " ").map(String.init)
    let arguments =
      ["-loglevel", "error", "-y"] + input + (isPicture || name == "a.gif" ? [] : sound) + extra
      + [folder.path(name)]
    let run = await runProgram(Self.program, arguments)
    try #require(run.status == 0, "\(run.output)")
    let bytes = [UInt8](try Data(contentsOf: folder.file(name)))
    #expect(try fault(bytes, as: type) == nil)
    // Of these only the first bytes are read.
    guard !["a.au", "a.caf", "a.ac3", "a.mpg"].contains(name) else { return }
    #expect(try fault(bytes.prefix(bytes.count / 2), as: type) != nil)
  }
}
