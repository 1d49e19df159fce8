import AuthCore
import Foundation
import Testing

/// An HTTP client over plain sockets: follows no redirect, keeps no connection, accepts no short body.
enum Loopback {
  struct Answer {
    let status: Int
    let headers: [String: String]
    let body: Data

    var json: JSONValue { (try? JSONValue(text: text)) ?? .null }
    var text: String { String(decoding: body, as: UTF8.self) }

    init(_ bytes: Data) throws {
      guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else {
        throw POSIXError(.ECONNRESET)
      }
      let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        .components(separatedBy: "\r\n")
      guard lines[0].hasPrefix("HTTP/1.1 "), let code = Int(lines[0].split(separator: " ")[1])
      else { throw POSIXError(.EPROTO) }
      status = code
      let pairs = lines.dropFirst().map { line in
        let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
        return (parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces))
      }
      headers = Dictionary(pairs) { first, _ in first }
      let rest = bytes[end.upperBound...]
      if headers["transfer-encoding"] == "chunked" {
        body = try Self.joined(chunks: rest)
      } else {
        guard rest.count == headers["content-length"].flatMap({ Int($0) }) else {
          throw POSIXError(.ECONNRESET)
        }
        body = Data(rest)
      }
    }

    private static func joined(chunks: Data) throws -> Data {
      var body = Data()
      var rest = chunks
      while true {
        guard let line = rest.range(of: Data("\r\n".utf8)),
          let size = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16),
          rest.distance(from: line.upperBound, to: rest.endIndex) >= size
        else { throw POSIXError(.ECONNRESET) }
        guard size > 0 else { return body }
        body += rest[line.upperBound..<(line.upperBound + size)]
        rest = rest[(line.upperBound + size + 2)...]
      }
    }

    func header(_ name: String) -> String? { headers[name.lowercased()] }
  }

  static func send(
    _ method: String = "GET", _ url: String, headers: [String: String] = [:], body: String? = nil
  ) async throws -> Answer {
    let parts = try #require(URLComponents(string: url))
    let port = try #require(parts.port)
    let target = url[url.pathStart...]
    var lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"]
    lines += headers.map { "\($0.key): \($0.value)" }
    if let body { lines.append("Content-Length: \(body.utf8.count)") }
    let request = lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
    return try Answer(try await RawClient.exchange(port: port, request))
  }

  static func get(
    _ url: String, _ query: [(name: String, value: String)] = [], bearer: String? = nil
  ) async throws -> Answer {
    try await send(
      url: URLText.adding(query, to: url),
      headers: bearer.map { ["Authorization": "Bearer \($0)"] } ?? [:])
  }

  static func post(
    _ url: String, _ fields: [(name: String, value: String)], headers: [String: String] = [:]
  ) async throws -> Answer {
    let type = ["Content-Type": "application/x-www-form-urlencoded"]
    return try await send(
      "POST", url, headers: headers.merging(type) { given, _ in given },
      body: URLText.form(fields))
  }

  private static func send(url: String, headers: [String: String]) async throws -> Answer {
    try await send("GET", url, headers: headers)
  }

  static func basic(_ id: String, _ secret: String) -> [String: String] {
    let pair = "\(URLText.escaped(id)):\(URLText.escaped(secret))"
    return ["Authorization": "Basic \(Data(pair.utf8).base64EncodedString())"]
  }
}

extension String {
  /// The beginning of a URL's path.
  fileprivate var pathStart: String.Index {
    let authority = range(of: "://").map { self[$0.upperBound...] } ?? self[...]
    return authority.firstIndex { $0 == "/" || $0 == "?" } ?? endIndex
  }
}
