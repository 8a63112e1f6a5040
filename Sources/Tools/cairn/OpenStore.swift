// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnRouting
import CairnRoutingDatabase
import CommandLineKit

/// Opens a routing database, or that of a bundle's folder, runs `body` with it and closes it. Errors
/// of the library are thrown as errors of a command; see `DatabaseExtent`.
func withStore<Result>(
  _ path: String, _ choice: RouteChoice? = nil,
  _ body: (RoutingStore) throws -> Result
) throws(CairnError) -> Result {
  let path = try routingPath(path)
  let store = RoutingStore(path: path)
  do throws(RoutingError) {
    try store.open()
  } catch {
    throw error.ofCommand(at: path)
  }
  defer { store.close() }
  do { return try body(store) } catch let error as RoutingError {
    throw DatabaseExtent(store).commandError(
      error, at: path, isStrict: choice?.preferences.isStrict ?? false)
  } catch { throw asCairnError(error) }
}
