// SPDX-License-Identifier: Apache-2.0

// The types that routing is asked with and answers with, so that an app needs one import:
// coordinates and boxes, the store, its rows and errors.
@_exported import Geodesy
@_exported import RoutingDatabase
