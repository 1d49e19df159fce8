import AuthValues

extension OutgoingRequest {
  /// Makes the request of a step, with the case's values filled in.
  init(_ step: ConformanceStep, _ values: CaseValues, to target: ConformanceTarget) throws(Mismatch)
  {
    method = step.method
    var path = try values.filled(step.path, URLText.escaped)
    var headers: [(name: String, value: String)] = []
    switch step.caller {
    case .client: path = URLText.adding([("key", target.key.reveal())], to: path)
    case .admin: headers.append(target.bearer)
    case .nobody: break
    }
    self.path = path
    switch step.body {
    case .json(let value):
      let filled = try values.filled(value)
      json = filled
      body = Array(filled.text.utf8)
      headers.append(("Content-Type", "application/json"))
    case .form(let fields):
      var form: [(name: String, value: String)] = []
      for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
        let value = try values.filled(value)
        form.append((try values.filled(name), value.stringValue ?? value.text))
      }
      body = Array(URLText.form(form).utf8)
      headers.append(("Content-Type", "application/x-www-form-urlencoded"))
    case .text(let text):
      body = Array(try values.filled(text).utf8)
      headers.append(("Content-Type", "application/json"))
    case nil: break
    }
    for (name, value) in step.headers.sorted(by: { $0.key < $1.key }) {
      headers.removeAll { $0.name.lowercased() == name.lowercased() }
      headers.append((name, try values.filled(value)))
    }
    self.headers = headers
  }
}
