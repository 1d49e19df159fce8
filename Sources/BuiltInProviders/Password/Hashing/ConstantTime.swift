/// Compares without telling by its duration where two values differ.
///
/// Lengths are no secret: they follow from the parameters.
func equalInConstantTime(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
  guard one.count == other.count else { return false }
  var difference: UInt8 = 0
  for (a, b) in zip(one, other) { difference |= a ^ b }
  return difference == 0
}
