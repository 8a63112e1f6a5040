// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

extension UUID {
  /// A UUID of version 8 (RFC 9562): the first 128 bits of a digest, so that equal contents have equal
  /// UUIDs. The digest is that of no bytes afterwards.
  package init(version8 digest: SHA256Digest) {
    var hex = Array(digest.finish().prefix(32))
    // The version, and the variant of the RFC.
    hex[12] = "8"
    hex[16] = "a"
    for index in [20, 16, 12, 8] { hex.insert("-", at: index) }
    self = UUID(uuidString: String(hex)) ?? UUID()
  }
}
