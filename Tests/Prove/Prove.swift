import ArgumentParser
import Foundation
import SmallWorlds

/// Runs simulations, decides every small snapshot and searches every small world, and says how many there were.
@main struct Prove: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prove",
    abstract:
      "Runs simulations, tries every small snapshot and every short history, and prints what breaks."
  )

  @Option(help: "How many states at most.") var states = Int.max
  @Option(help: "How many seconds at most.") var seconds = 120.0
  @Option(help: "How many steps behind those of the starting worlds at most.") var depth = 100
  @Option(help: "How many tasks search.") var tasks = ProcessInfo.processInfo.activeProcessorCount
  @Option(help: "How many states of a level are followed at most.") var width = 400_000
  @Option(help: "A fault that is planted, which the search is to find.") var plant: PlantedFault?
  @Option(help: "The name of a violation that is known and passed over; may be given again.")
  var known: [String] = []
  @Option(help: "The world to begin with; each of them if none is named.") var start: StartingWorld?

  @Option(help: "How many of the seconds are for simulations, a tenth unless something is planted.")
  var simulations: Double?
  @Option(help: "The seed of the first simulation; the others have the next ones.")
  var seed = UInt64.random(in: 0..<1_000_000_000)

  @Option(
    help:
      "How many of the seconds are for snapshots at most, a quarter unless something is planted.")
  var snapshots: Double?
  @Option(
    help: "The size of the snapshots: about how many addresses, identities and flags they have.")
  var size = 5

  func run() async throws {
    let isWhole = plant == nil && start == nil
    let simulated = min(seconds, simulations ?? (isWhole ? seconds / 10 : 0))
    try await simulate(seconds: simulated)
    let decided = min(seconds - simulated, snapshots ?? (isWhole ? seconds / 4 : 0))
    let taken = try await decide(seconds: decided)
    try await search(seconds: seconds - simulated - taken)
  }

  /// Decides every snapshot within a time; returns the seconds that it took.
  private func decide(seconds: Double) async throws -> Double {
    guard seconds > 0 else { return 0 }
    var bounds = SnapshotProof.Bounds()
    (bounds.size, bounds.seconds) = (size, seconds)
    (bounds.tasks, bounds.seed) = (max(1, tasks), seed)
    let result = try await SnapshotProof(bounds).run()
    let taken = result.duration / .seconds(1)
    print(
      """
      \(result.decided) decisions on snapshots, standing for \(result.states) states, \
      \(taken.formatted(.number.precision(.fractionLength(1)))) seconds, \
      \(result.isComplete ? "every snapshot" : "not every snapshot") of size \(size)
      """)
    if let found = result.counterexample {
      print("\n\(found)")
      throw ExitCode.failure
    }
    let transfers = try TransferProof(size: size).run()
    print("\(transfers.decided) splits and moves of accounts of size \(size), each with its undo")
    guard let violation = transfers.violation else { return taken }
    print("\n\(violation)")
    throw ExitCode.failure
  }

  private func simulate(seconds: Double) async throws {
    guard seconds > 0 else { return }
    let (seeds, steps, problem) = try await Simulation.search(from: seed, seconds: seconds)
    print("\(seeds) simulations from seed \(seed), \(steps) steps, \(Int(seconds)) seconds at most")
    guard let problem else { return }
    print("\n\(problem)\n\(problem.history.joined(separator: "\n"))")
    throw ExitCode.failure
  }

  private func search(seconds: Double) async throws {
    var bounds = SmallWorldSearch.Bounds()
    (bounds.states, bounds.seconds, bounds.depth) = (states, seconds, depth)
    (bounds.tasks, bounds.width, bounds.known) = (max(1, tasks), width, Set(known))
    let search = SmallWorldSearch(
      from: start.map { [$0] } ?? StartingWorld.allCases, fault: plant, bounds)
    let result = try await search.run()
    let seconds = max(0.001, result.duration / .seconds(1))
    print(
      """
      \(result.states) states, \(result.operations) operations, \
      \(seconds.formatted(.number.precision(.fractionLength(1)))) seconds, \
      \(Int(Double(result.states) / seconds)) states a second, \
      every history of up to \(result.completeDepth) steps
      """)
    guard let found = result.counterexample else { return }
    print(
      """

      \(found.violations.map(\.description).joined(separator: "\n"))
      after \(found.depth) steps behind the world "\(found.start)":
      \(found.history)

      For the console:
      \(found.script)
      """)
    throw ExitCode.failure
  }
}

extension PlantedFault: ExpressibleByArgument {}
extension StartingWorld: ExpressibleByArgument {}
