extension Duration {
  /// The duration with a unit that fits: `0.4 ms`, `73 ms`, `1.52 s`.
  var shortText: String {
    let milliseconds = Double(components.seconds) * 1e3 + Double(components.attoseconds) / 1e15
    func rounded(_ value: Double, to steps: Double) -> Double { (value * steps).rounded() / steps }
    if milliseconds < 10 { return "\(rounded(milliseconds, to: 10)) ms" }
    if milliseconds < 1000 { return "\(Int(milliseconds.rounded())) ms" }
    return "\(rounded(milliseconds / 1000, to: 100)) s"
  }
}
