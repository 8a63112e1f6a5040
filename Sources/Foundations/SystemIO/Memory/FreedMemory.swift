// SPDX-License-Identifier: Apache-2.0
import CLinux

/// Lets this process reuse large pieces of memory that it has freed. Otherwise each goes back to
/// the system, which clears all memory that it hands out: with many growing arrays, that takes a
/// tenth of the time.
package func keepFreedMemory() { cairn_keep_freed_memory() }
