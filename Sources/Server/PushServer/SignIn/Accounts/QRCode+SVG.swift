import Markup
import _QRCode

extension QRCode {
  /// The code as an SVG image with its quiet zone, in black on white in any colour scheme.
  ///
  /// Adjacent dark modules of a row are one rectangle of the path.
  func svg(label: String) -> HTML {
    let border = 4
    let side = size + 2 * border
    var path = ""
    for y in 0..<size {
      var x = 0
      while x < size {
        guard self[x, y] else {
          x += 1
          continue
        }
        let start = x
        while x < size, self[x, y] { x += 1 }
        path += "M\(start + border),\(y + border)h\(x - start)v1h-\(x - start)z"
      }
    }
    return """
      <svg class="qr" viewBox="0 0 \(side) \(side)" width="220" height="220" role="img" aria-label="\(label)">\
      <rect width="100%" height="100%" fill="#fff"/><path fill="#000" d="\(path)"/></svg>
      """
  }
}
