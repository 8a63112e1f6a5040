// SPDX-License-Identifier: Apache-2.0
// The types that an updater takes and returns.
@_exported import CairnBundles
@_exported import CairnGuidance
