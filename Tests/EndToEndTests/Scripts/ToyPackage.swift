import Foundation
import TestSupport

/// A package of two files, with a stand-in for `swift` that records its calls and joins the sources into a program.
struct ToyPackage {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try shell(
      """
      mkdir -p ../bin Sources/Toy Tests/ToyTests
      echo 'a()' >Sources/Toy/main.swift
      echo 'other()' >Sources/Toy/other.swift
      echo '// swift-tools-version: 6.2' >Package.swift
      echo 1 >../bin/swift.version
      : >../bin/swift.calls
      cat >../bin/swift
      chmod +x ../bin/swift
      git init -q -b one .
      git add Sources
      git -c user.name=toy -c user.email=toy@example.com commit -q -m one
      """, input: Self.standIn)
  }

  /// The stand-in: it waits, prints and fails as the files beside it say, and can be interrupted like SwiftPM.
  private static let standIn = """
    #!/usr/bin/env -S --default-signal=INT /bin/sh
    [ "$1" != --version ] || exec cat "$0.version"
    echo "$@" >>"$0.calls"
    [ ! -e "$0.output" ] || cat "$0.output"
    if [ -e "$0.wait" ]; then
      echo $$ >"$0.started"
      while [ -e "$0.wait" ]; do sleep 0.05; done
      rm "$0.started"
    fi
    [ ! -e "$0.failure" ] || { cat "$0.failure"; exit 3; }
    mkdir -p .build/release
    cat Sources/Toy/*.swift >.build/release/toy
    chmod +x .build/release/toy
    [ -e Package.resolved ] || echo '{}' >Package.resolved

    """

  var root: String { "\(folder.path)/package" }
  /// The script's arguments.
  var arguments: [String] { ["--package-path", root, "--program", "toy"] }
  /// The environment, with the stand-in first in the path.
  var environment: [String: String] { ["PATH": "\(folder.path)/bin:/usr/bin:/bin"] }
  /// A command line that builds, for `shell`.
  var commandLine: String {
    "PATH='\(folder.path)/bin:/usr/bin:/bin' '\(Program.root)/Scripts/build' --package-path . --program toy"
  }

  /// The number of builds that began.
  var builds: Int {
    get throws { try folder.read("bin/swift.calls").split(separator: "\n").count }
  }

  /// The built program, which is the content of the sources at the build.
  var program: String {
    get throws { try folder.read("package/.build/release/toy") }
  }

  /// The current content of the sources.
  var sources: String {
    get throws { try shell("cat Sources/Toy/*.swift") }
  }

  func build(_ environment: [String: String]? = nil) throws -> Program.Outcome {
    try Program.run(
      arguments, of: "\(Program.root)/Scripts/build", in: folder,
      environment: environment ?? self.environment)
  }

  /// Runs a shell script in the package's folder, and returns its output.
  @discardableResult
  func shell(_ script: String, input: String? = nil) throws -> String {
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    let outcome = try Program.run(
      ["-ec", "cd '\(root)'\n\(script)"], of: "/bin/sh", in: folder, input: input)
    guard outcome.status == 0 else { throw Failed(description: outcome.errors) }
    return outcome.output
  }
}
