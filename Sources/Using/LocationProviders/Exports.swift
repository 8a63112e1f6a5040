// SPDX-License-Identifier: Apache-2.0

// Providers give fixes, and walks are simulated along routes: an app or a test needs one import.
@_exported import CairnGuidance
@_exported import CairnTracks
