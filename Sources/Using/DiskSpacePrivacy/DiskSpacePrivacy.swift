// SPDX-License-Identifier: Apache-2.0

// Only brings PrivacyInfo.xcprivacy to apps, for products that call `statvfs`: to see before an
// update whether there is room for it (E174.1).
