// SPDX-License-Identifier: Apache-2.0

// Cues come from events along a route, so an app needs no other import.
@_exported import CairnGuidance
