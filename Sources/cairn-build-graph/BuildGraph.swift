// SPDX-License-Identifier: Apache-2.0

@main
enum Main {
  static func main() {}
}
