import CardDrawing
import Foundation
import MartletCommands
import NotificationCards

@main
enum Main {
  static func main() async {
    let line = Array(CommandLine.arguments.dropFirst())
    if line.first == CardOrder.command { CardServer.run(Array(line.dropFirst())) }
    Martlet.runChild(line)
    let code = await Martlet().run(line, .process)
    exit(code.rawValue)
  }
}
