// SPDX-License-Identifier: Apache-2.0
import CYAML
import CairnDiagnostics

/// Builds a document from libyaml's events.
final class EventReader {
  private let file: String
  private let bytes: [UInt8]
  private let input: UnsafeMutableBufferPointer<UInt8>
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let isReady: Bool

  /// Creates a reader of UTF-8 without a byte order mark.
  init(_ bytes: [UInt8], file: String) {
    self.file = file
    self.bytes = bytes
    input = .allocate(capacity: bytes.count)
    _ = input.initialize(from: bytes)
    parser = .allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    isReady = yaml_parser_initialize(parser) == 1
    if isReady {
      yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
      yaml_parser_set_input_string(parser, input.baseAddress, input.count)
    }
  }

  deinit {
    if isReady { yaml_parser_delete(parser) }
    parser.deallocate()
    input.deallocate()
  }

  /// The document's value. Must be called only once.
  func document() throws(CairnError) -> YAMLNode {
    guard isReady else { throw outOfMemory }
    _ = try nextEvent()  // the start of the stream
    let start = try nextEvent()
    guard case .documentStart(let hasTagDirectives) = start.kind else {
      throw refusal("is empty: only whitespace and comments", at: start)
    }
    if hasTagDirectives { throw refusal("%TAG is not allowed", at: start) }
    let node = try node(of: nextEvent(), depth: 0)
    _ = try nextEvent()  // the end of the document
    let end = try nextEvent()
    guard case .streamEnd = end.kind else {
      throw refusal("a second document begins here; only one is allowed", at: end)
    }
    return node
  }

  private func node(of event: Event, depth: Int) throws(CairnError) -> YAMLNode {
    if let anchor = event.anchor {
      throw refusal(
        "anchors are not allowed (&\(anchor))", at: event, hint: "repeat the value")
    }
    if let tag = event.tag { throw refusal("tags are not allowed (\(tag))", at: event) }
    guard depth < YAMLDocument.depthLimit else {
      throw refusal("is nested more than \(YAMLDocument.depthLimit) levels deep", at: event)
    }
    let content: YAMLNode.Content
    switch event.kind {
    case .scalar(let text, let isPlain): content = .scalar(text, isPlain: isPlain)
    case .sequenceStart: content = .sequence(try items(depth: depth + 1))
    case .mappingStart: content = .mapping(try entries(depth: depth + 1))
    case .alias(let name):
      throw refusal(
        "aliases are not allowed (*\(name))", at: event, hint: "repeat the value")
    default: throw refusal("a value is missing", at: event)
    }
    return YAMLNode(content: content, line: event.line, column: event.column)
  }

  private func items(depth: Int) throws(CairnError) -> [YAMLNode] {
    var items: [YAMLNode] = []
    while true {
      let event = try nextEvent()
      if case .sequenceEnd = event.kind { return items }
      items.append(try node(of: event, depth: depth))
    }
  }

  private func entries(depth: Int) throws(CairnError) -> [YAMLEntry] {
    var entries: [YAMLEntry] = []
    var lineByKey: [String: Int] = [:]
    while true {
      let event = try nextEvent()
      if case .mappingEnd = event.kind { return entries }
      let keyNode = try node(of: event, depth: depth)
      guard case .scalar(let text, _) = keyNode.content, !text.isEmpty,
        !containsControlCharacters(text)
      else { throw refusal("a key must be one line of text", at: event) }
      if let line = lineByKey.updateValue(event.line, forKey: text) {
        throw refusal("key “\(text)” already appears on line \(line)", at: event)
      }
      let key = YAMLKey(text: text, line: event.line, column: event.column)
      entries.append(YAMLEntry(key: key, value: try node(of: nextEvent(), depth: depth)))
    }
  }

  private func refusal(_ message: String, at event: Event, hint: String? = nil) -> CairnError {
    CairnError(
      .yamlNotStrict, .configuration, message,
      at: Location(file: file, .line(event.line, column: event.column)), hint: hint)
  }

  private struct Event {
    enum Kind {
      case documentStart(hasTagDirectives: Bool)
      case streamEnd
      case scalar(String, isPlain: Bool)
      case alias(String)
      case sequenceStart, sequenceEnd, mappingStart, mappingEnd, other
    }

    var kind = Kind.other
    var anchor: String?
    var tag: String?
    var line: Int
    var column: Int
  }

  private func nextEvent() throws(CairnError) -> Event {
    var raw = yaml_event_t()
    guard yaml_parser_parse(parser, &raw) == 1 else { throw parserError() }
    defer { yaml_event_delete(&raw) }
    var event = Event(
      line: Int(raw.start_mark.line) + 1, column: Int(raw.start_mark.column) + 1)
    switch raw.type {
    case YAML_DOCUMENT_START_EVENT:
      let directives = raw.data.document_start.tag_directives
      event.kind = .documentStart(hasTagDirectives: directives.start != directives.end)
    case YAML_STREAM_END_EVENT: event.kind = .streamEnd
    case YAML_SCALAR_EVENT:
      let scalar = raw.data.scalar
      let value = UnsafeBufferPointer(start: scalar.value, count: Int(scalar.length))
      event.kind = .scalar(
        String(decoding: value, as: UTF8.self),
        isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
      (event.anchor, event.tag) = (text(scalar.anchor), text(scalar.tag))
    case YAML_ALIAS_EVENT: event.kind = .alias(text(raw.data.alias.anchor) ?? "")
    case YAML_SEQUENCE_START_EVENT:
      event.kind = .sequenceStart
      let start = raw.data.sequence_start
      (event.anchor, event.tag) = (text(start.anchor), text(start.tag))
    case YAML_MAPPING_START_EVENT:
      event.kind = .mappingStart
      let start = raw.data.mapping_start
      (event.anchor, event.tag) = (text(start.anchor), text(start.tag))
    case YAML_SEQUENCE_END_EVENT: event.kind = .sequenceEnd
    case YAML_MAPPING_END_EVENT: event.kind = .mappingEnd
    default: break
    }
    return event
  }

  private func text(_ pointer: UnsafePointer<yaml_char_t>?) -> String? {
    pointer.map { String(cString: $0) }
  }

  private func parserError() -> CairnError {
    let state = parser.pointee
    if state.error == YAML_MEMORY_ERROR { return outOfMemory }
    let problem = state.problem.map { String(cString: $0) } ?? "is not YAML"
    var line = Int(state.problem_mark.line) + 1
    var column = Int(state.problem_mark.column) + 1
    if state.error == YAML_READER_ERROR {
      (line, column) = position(ofByte: Int(state.problem_offset), in: bytes)
    }
    let context = state.context.map { ", \(String(cString: $0))" } ?? ""
    let byte = bytes[min(Int(state.problem_mark.index), bytes.count)...].first
    let isTab = state.error == YAML_SCANNER_ERROR && byte == UInt8(ascii: "\t")
    return CairnError(
      .malformedYAML, .configuration, problem + context,
      at: Location(file: file, .line(line, column: column)),
      hint: isTab ? "indent with spaces, not with tabs" : nil)
  }

  private var outOfMemory: CairnError {
    CairnError("out-of-memory", .software, "out of memory", at: Location(file: file))
  }
}

/// Whether a text contains control characters: line feeds, tabs, NUL and the like.
func containsControlCharacters(_ text: String) -> Bool {
  text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
}
