import AuthCore

/// Finds secrets that are left in a fixture.
struct LeakSearch {
  let mask: SecretMask

  /// The place in words, such as `scenario "Ada": exchanges[2].response.json.note holds the-client-secret`.
  func place(in json: JSONValue, _ path: [String]) -> String? {
    switch json {
    case .object(let members):
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        if let placeholder = mask.leak(in: name) {
          return "\(words(path)) has a field whose name holds a value that should be \(placeholder)"
        }
        if let place = place(in: value, path + [".\(name)"]) { return place }
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        let name = path == [".scenarios"] ? element["name"]?.stringValue : nil
        let step = name.map { "scenario \"\(mask.masked($0))\": " } ?? "[\(index + 1)]"
        let start = name == nil ? path + [step] : [step]
        if let place = place(in: element, start) { return place }
      }
    default:
      if let placeholder = mask.leak(in: json.stringValue ?? json.text) {
        return "\(words(path)) holds a value that should be \(placeholder)"
      }
    }
    return nil
  }

  private func words(_ path: [String]) -> String {
    let text = path.joined().replacing(": .", with: ": ")
    return text.hasPrefix(".") ? String(text.dropFirst()) : text
  }
}
