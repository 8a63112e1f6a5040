// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import SystemIO

/// The UUID by which apps know a region: its id if that is one, otherwise one that follows from it, so
/// that it is the same in each run and on each machine.
package func regionUUID(_ id: String) -> UUID {
  if let uuid = UUID(uuidString: id) { return uuid }
  let digest = SHA256Digest()
  digest.update("cairn region\n\(id)\n")
  return UUID(version8: digest)
}
