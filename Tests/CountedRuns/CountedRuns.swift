import ArgumentParser
import Dispatch

/// Does a thing some times and nothing else, for a tool that counts instructions.
///
/// Counts begin behind the start. The main thread waits: if it ended, as with an asynchronous main, valgrind would
/// end too.
@main enum Main {
  static func main() {
    let isOver = DispatchSemaphore(value: 0)
    Task.detached {
      await CountedRuns.main()
      isOver.signal()
    }
    isOver.wait()
  }
}

struct CountedRuns: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "countedruns", abstract: "Does a thing some times, for a tool that counts.",
    subcommands: [HotPathCommand.self, RequestsCommand.self])
}
