// SPDX-License-Identifier: Apache-2.0

// Only brings PrivacyInfo.xcprivacy to apps, for products that call `stat` and the like: for files
// of the app (C617.1), and for those that the user opened with it (3B52.1). They read whether a
// file is there, its kind and its size, and no times.
