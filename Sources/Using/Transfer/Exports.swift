// SPDX-License-Identifier: Apache-2.0

// What is sent and received: an app that imports this needs no other import.
@_exported import CairnGuidance
@_exported import CairnWaypoints
