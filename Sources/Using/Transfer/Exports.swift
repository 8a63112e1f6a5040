// SPDX-License-Identifier: Apache-2.0

// The types that are sent and received: an app needs no other import.
@_exported import CairnGuidance
@_exported import CairnWaypoints
