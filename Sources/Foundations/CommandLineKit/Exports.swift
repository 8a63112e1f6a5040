// SPDX-License-Identifier: Apache-2.0

/// What commands print is text or JSON.
@_exported import JSONKit
