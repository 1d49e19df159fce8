import Testing

/// The suites that load the machine.
///
/// They run one after the other, so that the load of one does not count against another.
@Suite(.serialized) enum Sandbox {}
