// SPDX-License-Identifier: Apache-2.0
import CLinux

/// Lets this process use large pieces of memory again that it has freed. Otherwise each of them goes back
/// to the system, which clears whatever it gives out: where many arrays grow and go, that takes a tenth
/// of the time.
package func keepFreedMemory() { cairn_keep_freed_memory() }
