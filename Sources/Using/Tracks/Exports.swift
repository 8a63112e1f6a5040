// SPDX-License-Identifier: Apache-2.0

// Tracks are made of points of GPX files, and measured with these, so that an app needs one import.
@_exported import struct CairnElevationProfiles.ElevationSmoothing
@_exported import struct CairnGPX.GPXFile
@_exported import struct CairnGeodesy.Coordinate
