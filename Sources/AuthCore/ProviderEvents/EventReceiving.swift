/// A provider whose vendor reports what happens to the people who signed in with it.
///
/// Examples are Google's Cross-Account Protection, Apple's server-to-server notifications and Facebook's deauthorisation.
public protocol EventReceiving: AuthProvider {
  /// The last segments of the vendor's addresses, if it has several; empty for one address without a topic.
  var eventTopics: [String] { get }

  /// Tells whether the provider takes events under these settings.
  func receivesEvents(_ settings: ProviderSettings) -> Bool

  /// Verifies a vendor's request and returns its events, with the answer that the vendor expects.
  ///
  /// It changes nothing. Throws `invalid-credential` naming the field at fault unless the vendor made the request for
  /// this app, or `network-request-failed` if the vendor's keys cannot be fetched.
  func events(
    _ request: ProviderEventRequest, _ context: VerificationContext
  ) async throws -> ProviderEventReport
}

extension EventReceiving {
  /// Returns no topics: the vendor has one address.
  public var eventTopics: [String] { [] }
}

/// A vendor's request, which nothing vouches for yet.
public struct ProviderEventRequest: Sendable {
  /// The method, such as `POST`.
  public let method: String
  /// The last segment of the address, if the vendor has several addresses: `deauthorize` or `delete` for Facebook.
  public let topic: String?
  /// The fields of the query.
  public let query: [String: String]
  /// The header fields, by their names in lower case.
  public let headers: [String: String]
  /// The body as it was sent: the bytes that a signature covers.
  public let body: [UInt8]
  /// The beginning of the address at which a person reads the state of an event; its ID follows.
  public let statusAddress: String

  /// Makes a request.
  public init(
    method: String = "POST", topic: String? = nil, query: [String: String] = [:],
    headers: [String: String] = [:], body: [UInt8], statusAddress: String = ""
  ) {
    self.method = method
    self.topic = topic
    self.query = query
    self.headers = headers
    self.body = body
    self.statusAddress = statusAddress
  }

  /// The maximum length of a body, in bytes.
  public static let maximumBytes = 64 << 10

  /// The body as text; an invalid byte becomes a replacement character.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// The media type of the body, in lower case and without parameters.
  public var mediaType: String {
    let type = (headers["content-type"] ?? "").prefix { $0 != ";" }
    return type.filter { !$0.isWhitespace }.lowercased()
  }
}

/// The verified events of a request, and the answer to it.
public struct ProviderEventReport: Sendable, Hashable {
  /// The events; none for a test of the address.
  public var events: [ProviderEvent]
  /// The answer to the vendor, once the events are stored.
  public var response: ProviderEventResponse

  /// Makes a report; the answer is 202 without a body by default (RFC 8935).
  public init(
    _ events: [ProviderEvent], response: ProviderEventResponse = ProviderEventResponse(status: 202)
  ) {
    self.events = events
    self.response = response
  }
}

/// An answer to a vendor.
public struct ProviderEventResponse: Sendable, Hashable {
  /// The status, 200 to 499.
  public var status: Int
  /// The media type of the body.
  public var contentType: String
  /// The body; empty for none.
  public var body: String

  /// Makes an answer.
  public init(status: Int = 200, contentType: String = "text/plain", body: String = "") {
    self.status = status
    self.contentType = contentType
    self.body = body
  }

  /// Makes an answer in JSON.
  public static func json(_ value: JSONValue, status: Int = 200) -> ProviderEventResponse {
    ProviderEventResponse(status: status, contentType: "application/json", body: value.text)
  }
}
