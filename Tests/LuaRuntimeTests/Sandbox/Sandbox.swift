import Testing

/// Holds the suites that load the machine; they run one after the other, so that what one uses does
/// not count against another.
@Suite(.serialized) enum Sandbox {}
