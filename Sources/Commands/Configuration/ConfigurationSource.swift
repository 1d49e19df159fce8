import AuthCore
import Foundation
import LuaRuntime
import Yams

/// The sources of settings, in order of precedence: the command line, the environment, and a file.
///
/// Collects all problems instead of stopping at the first.
final class ConfigurationSource {
  /// The file's path as it was given; nil without a file.
  let file: String?
  let environment: [String: String]
  /// The options of the command line, by the setting's path: the option's name and its values.
  let options: [String: (name: String, values: [String])]
  private var found: [ConfigurationFinding] = []
  let root: Node?
  /// The names of variables that were read.
  private var knownVariables: Set<String> = []

  /// The maximum size of the file in bytes, far more than is written by hand.
  private static let longestFile = 1 << 20

  /// Reads a file, if any; its problems are among the findings.
  init(
    file: String?, environment: [String: String] = ProcessInfo.processInfo.environment,
    options: [String: (name: String, values: [String])] = [:]
  ) {
    self.file = file
    self.environment = environment
    self.options = options
    do throws(Unreadable) {
      root = try file.flatMap { file throws(Unreadable) in try Self.read(file) }
    } catch {
      root = nil
      found.append(
        ConfigurationFinding(
          place: error.line.map { "\(file ?? ""):\($0)" } ?? file ?? "", line: error.line,
          field: "", message: error.message, remedy: error.remedy))
    }
  }

  /// The folder to which paths in the file are relative.
  var folder: String {
    file.map { URL(filePath: $0).deletingLastPathComponent().path } ?? "."
  }

  /// The findings, in the order of the file's lines.
  var findings: [ConfigurationFinding] {
    found.filter { $0.line != nil }.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
      + found.filter { $0.line == nil }
  }

  var hasErrors: Bool { findings.contains { $0.severity == .error } }

  func add(_ finding: ConfigurationFinding) {
    if !found.contains(finding) { found.append(finding) }
  }

  /// Returns the value of a variable; nil if it is unset or empty.
  func variable(_ name: String) -> String? {
    knownVariables.insert(name)
    return environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Reports variables with our prefix that are never read, except those for tests.
  func tellUnknownVariables(besides others: Set<String>) {
    let known = knownVariables.union(others)
    for name in environment.keys.sorted()
    where name.hasPrefix("AUTHGRAPH_") && !name.hasPrefix("AUTHGRAPH_TEST_")
      && !known.contains(name)
    {
      let near = nearestName(to: name, among: known).map { "Did you mean \($0)?" }
      add(
        ConfigurationFinding(
          severity: .warning, place: name, field: name,
          message: "No setting uses this variable.", remedy: near))
    }
  }

  private struct Unreadable: Error {
    let message: String
    let remedy: String?
    var line: Int?
  }

  private static func read(_ file: String) throws(Unreadable) -> Node? {
    let bytes: [UInt8]
    do throws(InputFile.Unreadable) {
      bytes = try InputFile.bytes(of: file, atMost: longestFile)
    } catch {
      throw Unreadable(
        message: "The file cannot be read: \(error.reason).",
        remedy: "Check the path and its permissions.")
    }
    guard bytes.count <= longestFile else {
      throw Unreadable(
        message: "The file has more than 1 MiB (\(longestFile) bytes).", remedy: nil)
    }
    let text: String
    do throws(LuaSourceError) {
      text = try InputText.text(of: bytes)
    } catch {
      throw Unreadable(
        message: "The file is no UTF-8 text: \(error.fault).", remedy: error.remedy,
        line: error.line)
    }
    let node: Node?
    do {
      node = try compose(yaml: text)
    } catch let error as YamlError {
      throw unreadable(error)
    } catch {
      throw Unreadable(message: "The file is no YAML.", remedy: nil)
    }
    // A file that contains only comments is valid.
    guard let node, !node.isNothing else { return nil }
    guard case .mapping = node else {
      throw Unreadable(
        message: "The file is no list of settings.",
        remedy: "Write lines such as: project: default",
        line: node.mark?.line ?? 1)
    }
    return node
  }

  /// Makes the error without the content of the file, which may hold a secret.
  private static func unreadable(_ error: YamlError) -> Unreadable {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      Unreadable(message: "The file is no YAML: \(problem).", remedy: nil, line: mark.line)
    case .duplicatedKeysInMapping(let names, let context):
      Unreadable(
        message: "\(names.joined(separator: ", ")) is there twice.", remedy: "Keep one of them.",
        line: context.mark.line)
    case .reader: Unreadable(message: "The file is no UTF-8 text.", remedy: nil)
    default: Unreadable(message: "The file is no YAML.", remedy: nil)
    }
  }
}

extension Node {
  /// True if the value is missing or null.
  var isNothing: Bool {
    guard case .scalar(let scalar) = self, scalar.style == .plain || scalar.style == .any else {
      return false
    }
    return ["", "~", "null"].contains(scalar.string)
  }
}
