// SPDX-License-Identifier: Apache-2.0
// What an updater takes and gives is described by these modules.
@_exported import CairnBundles
@_exported import CairnGuidance
