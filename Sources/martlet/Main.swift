import Foundation
import MartletCommands

@main
enum Main {
  static func main() async {
    let line = Array(CommandLine.arguments.dropFirst())
    Martlet.runChild(line)
    let code = await Martlet().run(line, .process)
    exit(code.rawValue)
  }
}
