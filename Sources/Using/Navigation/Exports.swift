// SPDX-License-Identifier: Apache-2.0

// An app that navigates needs only this import: routes, guidance, cues, fixes and search results.
@_exported import CairnHaptics
@_exported import CairnSearch
@_exported import CairnTracks
