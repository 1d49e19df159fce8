import AuthCore

extension Fixture {
  /// The origin of a scenario's answers: an invented answer proves only that the plug-in agrees with its author.
  public struct Source: Sendable, Hashable {
    /// The kind of an origin.
    public enum Kind: String, Sendable, CaseIterable {
      /// The vendor itself answered.
      case recorded
      /// The vendor's documentation.
      case documentation
      /// Another program that signs people in at the vendor.
      case implementation
    }

    /// The kind of the origin.
    public var kind: Kind
    /// The address, or the name of a program.
    public var origin: String
    /// The year and month, or the day, as `2026-11` or `2026-11-27`.
    public var date: String

    /// Makes an origin.
    public init(_ kind: Kind, _ origin: String, date: String) {
      self.kind = kind
      self.origin = origin
      self.date = date
    }
  }

  /// The number of scenarios by the kind of their source; scenarios without one are not counted.
  public var sourceKinds: [Source.Kind: Int] {
    Dictionary(grouping: scenarios.compactMap(\.source), by: \.kind).mapValues(\.count)
  }

  /// The newest date of a source; nil if no scenario has one.
  public var newestSourceDate: String? { scenarios.compactMap { $0.source?.date }.max() }
}

extension Fixture.Source {
  init(_ reader: FixtureReader) throws(AuthError) {
    try reader.expectNames(["kind", "where", "date"])
    let kinds = Kind.allCases.map(\.rawValue)
    let name = try reader.text("kind") ?? ""
    guard let kind = Kind(rawValue: name) else {
      throw reader.mistake("kind", "there is no source \"\(name)\"", among: kinds, name)
    }
    guard let origin = try reader.text("where"), !origin.isEmpty else {
      throw reader.mistake("where", "the source has no address or name")
    }
    guard let date = try reader.text("date"),
      date.wholeMatch(of: /\d{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?/) != nil
    else { throw reader.mistake("date", "the source has no date such as 2026-11") }
    self.init(kind, origin, date: date)
  }

  var written: JSONValue {
    ["kind": .string(kind.rawValue), "where": .string(origin), "date": .string(date)]
  }
}
