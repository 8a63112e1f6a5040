// SPDX-License-Identifier: Apache-2.0

// Instructions and planned routes are made of routes: an app that imports this needs no other import.
@_exported import CairnRouting

// What of a line's elevations counts as noise.
@_exported import struct CairnElevationProfiles.ElevationSmoothing
// What instructions are told in.
@_exported import enum CairnPhrases.Language
// What is fed to a guidance along a route.
@_exported import struct CairnTracks.LocationFix
