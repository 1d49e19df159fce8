public import AuthValues

/// A server of the protocol, and the rights that the cases need there.
public struct ConformanceTarget: Sendable {
  /// The address, such as `http://127.0.0.1:9099`, without a slash at its end.
  public let url: String
  /// The behaviour that the cases expect.
  public let mode: ConformanceMode
  /// The project whose accounts the cases make and delete.
  public let project: String
  /// The API key of an app.
  public let key: Secret<String>
  /// The admin's bearer token: `owner` at an emulator.
  public let adminToken: Secret<String>
  /// True to reach an address that is not public.
  public let isPrivate: Bool
  /// The time that the server has for one answer.
  public let timeout: Duration

  /// Makes a target.
  public init(
    url: String, mode: ConformanceMode, project: String, key: Secret<String>,
    adminToken: Secret<String>, isPrivate: Bool, timeout: Duration = .seconds(10)
  ) {
    self.url = url
    self.mode = mode
    self.project = project
    self.key = key
    self.adminToken = adminToken
    self.isPrivate = isPrivate
    self.timeout = timeout
  }
}
