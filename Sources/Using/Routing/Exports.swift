// SPDX-License-Identifier: Apache-2.0

// What an app needs of the rules on tags: the grades that preferences name, and the numbers that
// the built-in profiles are made of.
@_exported import enum TagRules.RoutingCostConfig
@_exported import enum TagRules.SACScale
