/// Draws a simulated delivery to a PNG file.
enum CardFile {
  static func write(_ delivery: SimulatedDelivery, to file: String) throws {
    throw CommandFailure("--render is not there yet")
  }
}
