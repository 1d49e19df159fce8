import Foundation

/// `samples http ADDRESS` or `samples embedded`.
@main enum Program {
  @MainActor static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    do {
      let place: Place
      switch (arguments.first, arguments.dropFirst().first.flatMap(URL.init(string:))) {
      case ("http", let address?): place = .server(address)
      case ("embedded", nil): place = try .embedded()
      default: throw Failure("usage: samples http ADDRESS | samples embedded")
      }
      try await Tour(place).run()
      print("\(place.name): every sample ran to its end.")
    } catch {
      print("FAILED       \(error)")
      exit(1)
    }
  }
}
