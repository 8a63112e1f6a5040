// SPDX-License-Identifier: Apache-2.0

// The types of routing requests and results, so that an app needs one import: coordinates and
// boxes, the store, its rows and errors.
@_exported import CairnGeodesy
@_exported import CairnRoutingDatabase

// The types of tag rules for apps: days, the grades of preferences, warnings, and the parameters of
// the built-in profiles.
@_exported import struct CairnTagRules.CalendarDate
@_exported import enum CairnTagRules.HazardKind
@_exported import enum CairnTagRules.HazardSeverity
@_exported import enum CairnTagRules.RoutingCostConfig
@_exported import enum CairnTagRules.SACScale
