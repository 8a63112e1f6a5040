// SPDX-License-Identifier: Apache-2.0

// Cues come of what happens along a route: an app that imports this needs no other import.
@_exported import CairnGuidance
