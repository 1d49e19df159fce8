import AuthServer

extension Configuration {
  /// The limits of one request, one address and all requests together.
  struct Limits: Sendable, Equatable {
    /// The maximum size of an admin's request body.
    var bodyBytes = 10 * 1024 * 1024
    /// The maximum size of a client's request body.
    var clientBodyBytes = 256 * 1024
    /// The maximum size of all request bodies in flight.
    var bodyBytesInFlight = 64 * 1024 * 1024
    var requestSeconds = 30
    var idleSeconds = 60
    var connections = 10_000
    /// The maximum for one address; nil for the server's default, 0 for no limit.
    var connectionsPerAddress: Int?
  }
}

extension Configuration.Limits {
  init(_ section: ConfigurationSection) {
    self.init()
    bodyBytes = section.number("bodyBytes", in: 1024...(1 << 30)) ?? bodyBytes
    clientBodyBytes =
      section.number("clientBodyBytes", in: 1024...(1 << 30)) ?? min(clientBodyBytes, bodyBytes)
    bodyBytesInFlight =
      section.number("bodyBytesInFlight", in: 1024...(1 << 40))
      ?? max(bodyBytesInFlight, bodyBytes)
    requestSeconds = section.number("requestSeconds", in: 1...3600) ?? requestSeconds
    idleSeconds = section.number("idleSeconds", in: 1...3600) ?? idleSeconds
    connections = section.number("connections", in: 1...1_000_000) ?? connections
    connectionsPerAddress = section.number("connectionsPerAddress", in: 0...1_000_000)
    check(section)
  }

  /// Reports limits that contradict each other.
  private func check(_ section: ConfigurationSection) {
    if clientBodyBytes > bodyBytes, let raw = section.raw("clientBodyBytes") {
      section.tell(
        "clientBodyBytes", "is \(clientBodyBytes), more than bodyBytes, which is \(bodyBytes).",
        remedy: "Raise limits.bodyBytes, the limit of admins, or lower this one.", at: raw)
    }
    if bodyBytesInFlight < bodyBytes, let raw = section.raw("bodyBytesInFlight") {
      section.tell(
        "bodyBytesInFlight",
        "is \(bodyBytesInFlight), less than one body may have: bodyBytes is \(bodyBytes).",
        remedy: "Raise it, or lower limits.bodyBytes.", at: raw)
    }
    if let connectionsPerAddress, connectionsPerAddress > connections,
      let raw = section.raw("connectionsPerAddress")
    {
      section.tell(
        "connectionsPerAddress",
        "is \(connectionsPerAddress), more than there may be: connections is \(connections).",
        remedy: "Lower it, or set it to 0 for no limit of one address.", at: raw)
    }
  }
}
