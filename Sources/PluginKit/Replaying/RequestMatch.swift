import AuthCore
import Foundation

extension Fixture.Request {
  /// The first difference between a request and this one; nil if it matches.
  ///
  /// It has no details if the method or the address differs.
  func difference(from request: HTTPRequest) -> Difference? {
    guard request.method.rawValue == method,
      String(request.url.prefix { $0 != "?" && $0 != "#" }) == url
    else { return .anotherRequest }
    let query = URLText.query(of: request.url) ?? [:]
    if let name = self.query.differing(from: query) { return .member("query.\(name)") }
    let headers = Dictionary(
      request.headers.map { ($0.name.lowercased(), $0.value) },
      uniquingKeysWith: { "\($0), \($1)" })
    if let name = self.headers.differing(from: headers) { return .member("headers.\(name)") }
    let body = String(decoding: request.body, as: UTF8.self)
    if !form.isEmpty {
      let fields = URLText.uniqueFields(of: body) ?? [:]
      if let name = form.differing(from: fields) { return .member("form.\(name)") }
    }
    if !json.isEmpty {
      let members = (try? JSONValue(text: body)).flatMap { value -> [String: JSONValue]? in
        if case .object(let members) = value { members } else { nil }
      }
      if let name = json.differing(from: members ?? [:]) { return .member("json.\(name)") }
    }
    return nil
  }

  enum Difference: Hashable {
    case anotherRequest
    /// The first member that is missing or has another value.
    case member(String)
  }
}

extension Dictionary where Key == String, Value: Equatable {
  /// The first of these members that is missing in the other or has another value.
  fileprivate func differing(from other: [String: Value]) -> String? {
    keys.sorted().first { self[$0] != other[$0] }
  }
}
