/// The usage of a service: assumptions, not measurements, which may all be changed.
public struct Usage: Sendable {
  /// The number of accounts.
  public var accounts: Double
  /// The share of accounts that are active on a day.
  public var dailyActive = 0.2
  /// The hours for which they are active.
  public var activeHours = 4.0
  /// The operations on an active account in a day, by name; a token is refreshed every hour.
  public var perActiveDay = [
    "refresh": 4.0, "lookup": 4, "sign-in, returning": 0.1, "link": 0.01, "unlink": 0.001,
    "merge": 0.0005,
  ]
  /// The new accounts in a day, as a share of all accounts.
  public var newPerDay = 0.001
  /// The busiest second as a multiple of the mean one.
  public var peak = 3.0
  /// The days for which events are kept.
  public var eventDays = 90.0
  /// The days for which sessions are kept that are never ended.
  public var sessionDays = 90.0

  /// Makes the default usage.
  public init(accounts: Double) {
    self.accounts = accounts
  }

  /// The operations in the busiest second, by name.
  public var peakRates: [String: Double] {
    meanRates.mapValues { $0 * peak }
  }

  /// The operations in the mean second, by name.
  public var meanRates: [String: Double] {
    var rates = perActiveDay.mapValues { $0 * accounts * dailyActive / 86_400 }
    rates["sign-in, new"] = accounts * newPerDay / 86_400
    return rates
  }

  /// The share of accounts that are active within an hour.
  public var hourlyActive: Double { dailyActive * activeHours / 24 }
}

/// A machine for the database and its surroundings; these are assumptions too.
public struct Hardware: Sendable {
  /// The cores of the database's machine.
  public var cores = 32.0
  /// Its memory in bytes.
  public var memory = 256e9
  /// Its disk space in bytes.
  public var disk = 8e12
  /// The pages of 8 KiB that are read or written at random positions in a second.
  public var pagesPerSecond = 100_000.0
  /// The bytes a second that a replica, and an archive, receive.
  public var logBandwidth = 200e6
  /// The bytes a second that a back-up reads.
  public var backupBandwidth = 500e6
  /// The permitted use of each resource in the busiest second.
  public var use = 0.5
  /// The cores of an AuthGraph server.
  public var serverCores = 8.0
  /// The database connections of an AuthGraph server.
  public var connectionsPerServer = 16.0
  /// A round trip between two machines, in microseconds.
  public var network = 300.0
  /// The CPU time of a server for a request without the store, in microseconds.
  public var requestCPU = 60.0
  /// The CPU time of a token's RSA signature, in microseconds.
  public var tokenCPU = 600.0

  /// Makes the default machines.
  public init() {}
}

/// The pages and keys of each operation, derived from the tables and indexes alone.
public struct PagesOfOperation: Sendable {
  /// The pages at random positions that are read.
  public let read: Double
  /// The pages at random positions that are changed.
  public let changed: Double
  /// Set if the operation signs a token.
  public let signs: Bool
  /// The keys of separate indexes that are read: identities and verified addresses.
  public let keysRead: Double
  /// The keys of separate indexes that are written.
  public let keysWritten: Double

  /// The operations by name, counted in the schema rather than measured.
  public static let all: [String: PagesOfOperation] = [
    "lookup": .init(read: 5, changed: 0, signs: false, keysRead: 0, keysWritten: 0),
    "refresh": .init(read: 7, changed: 0, signs: true, keysRead: 0, keysWritten: 0),
    "sign-in, returning": .init(read: 9, changed: 5, signs: true, keysRead: 1, keysWritten: 0),
    "sign-in, new": .init(read: 8, changed: 8, signs: true, keysRead: 2, keysWritten: 2),
    "link": .init(read: 8, changed: 4, signs: true, keysRead: 1, keysWritten: 1),
    "unlink": .init(read: 6, changed: 4, signs: false, keysRead: 0, keysWritten: 1),
    "merge": .init(read: 14, changed: 12, signs: false, keysRead: 1, keysWritten: 4),
  ]
}
