// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import SystemIO

/// The UUID by which apps know a region: its id if that is one, otherwise one of version 8 (RFC 9562)
/// that follows from the id and the name of the manifest, so that it is the same in each run and on each
/// machine.
package func regionUUID(_ id: String, manifest name: String) -> UUID {
  if let uuid = UUID(uuidString: id) { return uuid }
  let digest = SHA256Digest()
  digest.update("cairn region\n\(name)\n\(id)\n")
  return UUID(version8: digest)
}

/// The UUID of the region whose bundle a database lies in, by its `region.json`; nil where there is none
/// beside it, or it is about another database.
package func regionUUID(besideDatabase path: String) -> UUID? {
  let (folder, name) = splitPath(path)
  guard let record = RegionRecord(inFolder: folder),
    record.routingDbFilename == name || record.variants?.values.contains(name) == true
  else { return nil }
  return UUID(uuidString: record.id)
}
