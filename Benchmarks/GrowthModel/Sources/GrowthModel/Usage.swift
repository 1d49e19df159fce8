/// How a service is used: assumptions, not measurements, each of which anybody may say otherwise.
public struct Usage: Sendable {
  public var accounts: Double
  /// The share of the accounts that is active on a day, and for how many hours.
  public var dailyActive = 0.2
  public var activeHours = 4.0
  /// Operations a day of an account that is active, by name; a token is refreshed every hour.
  public var perActiveDay = [
    "refresh": 4.0, "lookup": 4, "sign-in, returning": 0.1, "link": 0.01, "unlink": 0.001,
    "merge": 0.0005,
  ]
  /// New accounts a day, as a share of those that there are.
  public var newPerDay = 0.001
  /// The busiest second as a multiple of the mean one.
  public var peak = 3.0
  /// Days for which events are kept, and sessions that are never ended.
  public var eventDays = 90.0
  public var sessionDays = 90.0

  public init(accounts: Double) {
    self.accounts = accounts
  }

  /// Operations in the busiest second, by name.
  public var peakRates: [String: Double] {
    meanRates.mapValues { $0 * peak }
  }

  /// Operations in the mean second, by name.
  public var meanRates: [String: Double] {
    var rates = perActiveDay.mapValues { $0 * accounts * dailyActive / 86_400 }
    rates["sign-in, new"] = accounts * newPerDay / 86_400
    return rates
  }

  /// The share of the accounts that is active within an hour.
  public var hourlyActive: Double { dailyActive * activeHours / 24 }
}

/// One machine for the database, and what is around it; assumptions too.
public struct Hardware: Sendable {
  public var cores = 32.0
  public var memory = 256e9
  public var disk = 8e12
  /// Pages of 8 KiB read or written by chance a second.
  public var pagesPerSecond = 100_000.0
  /// Bytes a second that a replica, and an archive, take.
  public var logBandwidth = 200e6
  public var backupBandwidth = 500e6
  /// The share of anything that may be in use in the busiest second.
  public var use = 0.5
  /// Cores of a server of AuthGraph's own.
  public var serverCores = 8.0
  public var connectionsPerServer = 16.0
  /// A round trip between two machines, in microseconds.
  public var network = 300.0
  /// What a server spends on a request beside the store, and on a token's RSA signature, in microseconds.
  public var requestCPU = 60.0
  public var tokenCPU = 600.0

  public init() {}
}

/// What is known of each operation from the tables and indexes alone.
public struct PagesOfOperation: Sendable {
  /// Pages by chance that are read, and that are changed.
  public let read: Double
  public let changed: Double
  /// Whether a token is signed.
  public let signs: Bool
  /// Keys of indexes of their own that are read, and that are written; an identity, a verified address.
  public let keysRead: Double
  public let keysWritten: Double

  /// By the names of the operations; counted in the schema, not measured.
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
