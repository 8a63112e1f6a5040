// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded)
  /// A description of a decoding error with the path of the value: “regions.[3].id: expected a
  /// text”.
  package func problem(of error: DecodingError) -> String {
    func path(_ keys: [any CodingKey]) -> String {
      keys.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
    }
    switch error {
    case .keyNotFound(let key, let context):
      return "“\(path(context.codingPath + [key]))” is missing"
    case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
      let reason = context.debugDescription
      let sentence = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
      let position = path(context.codingPath)
      return position.isEmpty ? sentence : "\(position): \(sentence)"
    @unknown default: return "\(error)"
    }
  }
#endif
