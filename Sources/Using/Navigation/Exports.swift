// SPDX-License-Identifier: Apache-2.0

// An app that navigates needs one import: routes, guidance and cues, fixes, and what a search finds.
@_exported import CairnHaptics
@_exported import CairnSearch
@_exported import CairnTracks
