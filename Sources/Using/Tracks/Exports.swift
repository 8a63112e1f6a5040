// SPDX-License-Identifier: Apache-2.0

// Tracks consist of points of GPX files, so an app needs one import.
@_exported import struct CairnElevationProfiles.ElevationSmoothing
@_exported import struct CairnGPX.GPXFile
@_exported import struct CairnGeodesy.Coordinate
