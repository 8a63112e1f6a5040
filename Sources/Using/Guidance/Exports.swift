// SPDX-License-Identifier: Apache-2.0

// Instructions and planned routes are made from routes, so an app needs no other import.
@_exported import CairnRouting

// The noise limits for a line's elevations.
@_exported import struct CairnElevationProfiles.ElevationSmoothing
// The languages of instructions.
@_exported import enum CairnPhrases.Language
// The fixes that guidance takes.
@_exported import struct CairnTracks.LocationFix
