// SPDX-License-Identifier: Apache-2.0

// A track is matched to the graph of a profile, so an app needs one import.
@_exported import CairnRouting
