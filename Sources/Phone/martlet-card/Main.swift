import CardDrawing

/// The program that draws for a `martlet` that cannot, as packages have them; its arguments are the folders of pictures.
@main enum Main {
  static func main() { CardServer.run(Array(CommandLine.arguments.dropFirst())) }
}
