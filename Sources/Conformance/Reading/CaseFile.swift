public import AuthValues

/// A file of cases about one part of the protocol.
///
/// Reading is strict: an unknown member, matcher or name is an error with its file, case and step, because a misspelt
/// expectation would be one that every server meets.
public struct CaseFile: Sendable {
  /// The name of the file, for errors.
  public let name: String
  /// The part of the protocol that its cases are about.
  public let area: String
  /// The cases, in the order of the file.
  public let cases: [ConformanceCase]

  /// Reads a file.
  ///
  /// Throws `invalid-argument` for a text that is not JSON, an unknown member, matcher or name, and two cases with
  /// one name.
  public init(_ name: String, _ bytes: [UInt8]) throws(AuthError) {
    self.name = name
    let place = CasePlace(file: name)
    let value: JSONValue
    do throws(JSONReader.Failure) {
      value = try JSONValue(strict: bytes)
    } catch {
      throw place.fault("\(error)", remedy: "Correct the JSON.")
    }
    let file = try CaseObject(value, "file", known: ["area", "cases"], place)
    area = try file.neededText("area")
    let list = try file.neededList("cases")
    var seen: Set<String> = []
    var cases: [ConformanceCase] = []
    for entry in list {
      let item = try ConformanceCase(entry, area: area, in: place)
      guard seen.insert(item.name).inserted else {
        throw place.of(item.name).fault(
          "Two cases have this name.", field: "name", remedy: "Give each case its own sentence.")
      }
      cases.append(item)
    }
    self.cases = cases
  }
}

/// The place of a fault in a file of cases.
struct CasePlace: Sendable {
  let file: String
  var name: String?
  var step: Int?

  func of(_ name: String) -> CasePlace { CasePlace(file: file, name: name) }

  func at(step: Int) -> CasePlace { CasePlace(file: file, name: name, step: step) }

  func fault(_ text: String, field: String? = nil, remedy: String? = nil) -> AuthError {
    let place = [file, name.map { "“\($0)”" }, step.map { "step \($0)" }].compactMap(\.self)
    return AuthError(
      .invalidArgument, "\(place.joined(separator: ", ")): \(text)", field: field, remedy: remedy)
  }
}
