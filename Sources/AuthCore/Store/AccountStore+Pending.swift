/// Thrown by what is not built yet.
struct Unfinished: Error {}
