import Foundation
import MartletCommands

/// `martlet` without the code that draws, which packages install together with `martlet-card`.
@main
enum Main {
  static func main() async {
    let line = Array(CommandLine.arguments.dropFirst())
    Martlet.runChild(line)
    let code = await Martlet().run(line, .process)
    exit(code.rawValue)
  }
}
