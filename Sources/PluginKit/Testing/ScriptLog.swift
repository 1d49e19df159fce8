import LuaPlugins
import NIOConcurrencyHelpers

/// The lines that a plug-in logs in one rehearsal.
final class ScriptLog: Sendable {
  private let records = NIOLockedValueBox<[PluginLogRecord]>([])

  var lines: [PluginLogRecord] { records.withLockedValue { $0 } }

  func append(_ record: PluginLogRecord) { records.withLockedValue { $0.append(record) } }

  func clear() { records.withLockedValue { $0 = [] } }
}
