// SPDX-License-Identifier: Apache-2.0

// Types that an app meets in this module's interface.
@_exported import struct CairnGeodesy.Coordinate
@_exported import enum CairnPlaceDatabase.PlaceDetail
@_exported import struct CairnPlaceDatabase.PlaceFlags
@_exported import enum CairnPlaceDatabase.PlaceKind
@_exported import enum CairnPlaceDatabase.PlaceMetadataKey
@_exported import struct CairnPlaceDatabase.RelationMember
