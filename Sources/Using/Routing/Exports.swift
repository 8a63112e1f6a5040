// SPDX-License-Identifier: Apache-2.0

// The types that routing is asked with and answers with, so that an app needs one import:
// coordinates and boxes, the store, its rows and errors.
@_exported import CairnGeodesy
@_exported import CairnRoutingDatabase

// What an app needs of the rules on tags: days, the grades that preferences name, what routes warn of, and
// the parameters that the built-in profiles are made of.
@_exported import struct CairnTagRules.CalendarDate
@_exported import enum CairnTagRules.HazardKind
@_exported import enum CairnTagRules.HazardSeverity
@_exported import enum CairnTagRules.RoutingCostConfig
@_exported import enum CairnTagRules.SACScale
