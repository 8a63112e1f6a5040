// SPDX-License-Identifier: Apache-2.0

// Types that an app meets in this module's interface.
@_exported import struct Geodesy.Coordinate
@_exported import enum PlaceDatabase.PlaceKind
@_exported import enum PlaceDatabase.PlaceMetadataKey
