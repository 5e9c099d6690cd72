import Foundation
import UserNotifications

// Extensions with media of several types, and with the options of attachments.

/// Writes an animated picture.
class AttachesGIF: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let gif = Data(base64Encoded: "R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=") ?? Data()
    content.attach(gif, named: "animation.gif")
    reply(content)
  }
}

/// Saves every picture as JPEG, whatever it is.
class AttachesPNGAsJPEG: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    content.attach(content.pictureData, named: "image.jpg")
    reply(content)
  }
}

/// Saves a picture as a movie.
class AttachesPNGAsMovie: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    content.attach(content.pictureData, named: "movie.mp4")
    reply(content)
  }
}

/// Writes a picture of a type that notifications do not show.
class AttachesWebP: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    content.attach(content.pictureData, named: "picture.webp")
    reply(content)
  }
}

/// Writes the text of an error as a picture.
class AttachesText: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    content.attach(Data("Not Found".utf8), named: "picture.png")
    reply(content)
  }
}

/// Writes half a second of silence as WAVE.
class AttachesSound: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let samples = Data(count: 4000)
    var file = Data("RIFF".utf8) + bytes(UInt32(36 + samples.count)) + Data("WAVEfmt ".utf8)
    file += bytes(UInt32(16)) + bytes(UInt16(1)) + bytes(UInt16(1))
    file += bytes(UInt32(8000)) + bytes(UInt32(8000)) + bytes(UInt16(1)) + bytes(UInt16(8))
    file += Data("data".utf8) + bytes(UInt32(samples.count)) + samples
    content.attach(file, named: "message.wav")
    reply(content)
  }

  private func bytes<Number: FixedWidthInteger>(_ number: Number) -> Data {
    withUnsafeBytes(of: number.littleEndian) { Data($0) }
  }
}

/// Attaches one file under two types.
class AttachesOneFileTwice: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("picture.png")
    try? content.pictureData.write(to: file)
    content.attach(file)
    content.attach(file, options: [UNNotificationAttachmentOptionsTypeHintKey: "public.jpeg"])
    reply(content)
  }
}

/// Chooses the thumbnail of a picture.
class AttachesWithThumbnail: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("picture.png")
    try? content.pictureData.write(to: file)
    let rectangle = CGRect(x: 0.25, y: 0, width: 0.5, height: 1)
    content.attach(
      file,
      options: [
        UNNotificationAttachmentOptionsThumbnailClippingRectKey:
          rectangle.dictionaryRepresentation,
        UNNotificationAttachmentOptionsThumbnailHiddenKey: false,
      ])
    reply(content)
  }
}
