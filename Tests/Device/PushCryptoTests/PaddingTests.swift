import Testing
import _OpenSSLCrypto

@testable import PushCrypto

@Suite("Padding to a multiple")
struct PaddingTests {
  @Test(
    "fills up to the next multiple, at most to the maximum",
    arguments: [
      (0, 256, 2000, 0), (1, 256, 2000, 255), (255, 256, 2000, 1), (256, 256, 2000, 0),
      (257, 256, 2000, 255), (1792, 256, 2000, 0), (1793, 256, 2000, 207), (1999, 256, 2000, 1),
      (2000, 256, 2000, 0), (2001, 256, 2000, 0), (100, 4096, 2000, 1900), (7, 1, 2000, 0),
      (7, 0, 2000, 0), (7, -3, 2000, 0), (0, 16, 0, 0),
    ])
  func padding(length: Int, multiple: Int, maximum: Int, padding: Int) {
    #expect(
      EncryptedContent.padding(for: length, toMultipleOf: multiple, maximum: maximum) == padding)
  }

  @Test(
    "padded messages of different lengths have bodies of the same length",
    arguments: [16, 100, 256])
  func sameLength(multiple: Int) throws {
    let keys = try DeviceKeys.generate(with: provider)
    var lengths: Set<Int> = []
    for length in [multiple + 1, multiple + 2, 2 * multiple - 1, 2 * multiple] {
      let padding = EncryptedContent.padding(for: length, toMultipleOf: multiple, maximum: 3000)
      let sealed = try EncryptedPayload(
        sealing: bytes(length), to: keys.subscription, padding: padding, provider: provider)
      lengths.insert(sealed.body.count)
      #expect(try sealed.open(with: keys, provider: provider) == bytes(length))
    }
    #expect(lengths == [2 * multiple + WebPush.overhead])
  }
}
