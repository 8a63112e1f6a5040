// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import FoundationEssentials
import SystemIO

/// Checks a bundle against its records, and its databases against the validator's rules.
///
/// It needs only the folder, so it works on a copy of a bundle, too. Links count as foreign, since
/// their targets may change independently of the records.
package struct BundleVerifier {
  private let path: String
  private let threads: Int
  /// The record of the region in the index of the output folder, if it is to be compared.
  private let entry: IndexRecord.Region?
  private var result: BundleVerification

  /// Prepares to check a folder.
  ///
  /// - Parameter threads: With more than one, a database is checked by several.
  init(_ path: String, entry: IndexRecord.Region?, threads: Int) {
    self.path = path
    self.threads = threads
    self.entry = entry
    result = BundleVerification(path: path, region: splitPath(path).name)
  }

  /// Checks everything.
  package mutating func run() -> BundleVerification {
    guard let record = record() else { return result }
    result.region = record.id
    result.files = record.files.count + 1
    result.bytes = record.bytes
    let intact = checkFiles(record)
    checkRegion(record, isReadable: intact.contains(RegionRecord.fileName))
    var databases = DatabaseChecks(path, record, RegionRecord(inFolder: path), threads: threads)
    result.findings += databases.run(intact)
    if let entry { checkEntry(entry, record) }
    return result
  }

  private mutating func add(
    _ code: BundleFinding.Code, _ file: String, _ message: String,
    _ advice: String = BundleFinding.copyAgain
  ) {
    result.findings.append(
      BundleFinding(code: code, file: file, message: message, advice: advice))
  }

  private mutating func record() -> BundleRecord? {
    let file = joinPath(path, BundleRecord.fileName)
    guard nameExists(file) else {
      add(.record, BundleRecord.fileName, "is missing, so nothing can be checked")
      return nil
    }
    guard isRealFile(file), let record = BundleRecord(inFolder: path) else {
      add(.record, BundleRecord.fileName, "is not a bundle record, so nothing can be checked")
      return nil
    }
    return record
  }

  /// Compares the files with their records. Returns the names of the intact ones.
  private mutating func checkFiles(_ record: BundleRecord) -> Set<String> {
    var intact: Set<String> = []
    for (name, expected) in record.files.sorted(by: { $0.key < $1.key }) {
      guard isPlainFileName(name), name != BundleRecord.fileName else {
        add(
          .record, BundleRecord.fileName, "names “\(name)”, which is not a file name",
          BundleFinding.publishAgain)
        continue
      }
      let file = joinPath(path, name)
      guard nameExists(file) else {
        add(.missing, name, "is missing")
        continue
      }
      guard isRealFile(file) else {
        add(.foreign, name, "is a link or a folder, not a file", "replace it by the file")
        continue
      }
      let bytes = fileSize(file)
      guard bytes == expected.bytes else {
        add(
          .size, name, "has \(grouped(bytes)) bytes, \(grouped(expected.bytes)) are recorded")
        continue
      }
      do throws(CairnError) {
        let digest = try SHA256Digest.ofFile(file)
        guard digest == expected.sha256 else {
          add(
            .digest, name,
            "has the SHA-256 \(digest.prefix(12))…, \(expected.sha256.prefix(12))… is recorded")
          continue
        }
        intact.insert(name)
      } catch { add(.missing, name, "cannot be read: \(error.message)") }
    }
    do throws(CairnError) {
      for name in try folderContents(path).sorted()
      where record.files[name] == nil && name != BundleRecord.fileName {
        add(.foreign, name, "is not part of the bundle", "move it away")
      }
    } catch {
      add(
        .foreign, ".", "cannot be listed: \(error.message)", "make it readable and check again")
    }
    return intact
  }

  /// Compares `region.json` with `bundle.json`.
  private mutating func checkRegion(_ record: BundleRecord, isReadable: Bool) {
    let file = RegionRecord.fileName
    guard record.files[file] != nil else {
      return add(.record, file, "is not among the files of the bundle", BundleFinding.publishAgain)
    }
    // Damage has been reported already.
    guard isReadable else { return }
    guard let region = RegionRecord(inFolder: path),
      let named = fileNames(in: joinPath(path, file))
    else {
      return add(.record, file, "is not a region record", BundleFinding.publishAgain)
    }
    func compare(_ key: String, _ found: String?, _ expected: String?, in other: String) {
      guard found != expected else { return }
      add(
        .region, file,
        "\(key) is \(found ?? "missing"), \(expected ?? "nothing") in \(other)",
        BundleFinding.publishAgain)
    }
    if UUID(uuidString: region.id)?.uuidString != region.id {
      add(.region, file, "id is not a UUID in capitals", BundleFinding.publishAgain)
    }
    compare("manifestId", region.manifestId, record.id, in: BundleRecord.fileName)
    compare("name", region.name, record.name, in: BundleRecord.fileName)
    let bytes = record.bytes &- (record.files[file]?.bytes ?? 0)
    compare("fileSizeBytes", "\(region.fileSizeBytes)", "\(bytes)", in: BundleRecord.fileName)
    let time = record.dataTimestamp.flatMap { parsedTimestamp($0) }
    compare(
      "createdAt", "\(region.createdAt)",
      "\(time.map(\.timeIntervalSinceReferenceDate) ?? 0)", in: BundleRecord.fileName)
    if region.variants != record.variants {
      add(
        .region, file, "variants are not those in \(BundleRecord.fileName)",
        BundleFinding.publishAgain)
    }
    let names =
      named
      + (region.variants.map {
        $0.sorted {
          $0.key < $1.key
        }.map { ("variants.\($0.key)", $0.value) }
      } ?? [])
    if !region.hasRoutingData {
      compare("hasRoutingData", "false", "\(record.hasRoutingData)", in: BundleRecord.fileName)
    }
    for (key, name) in names where record.files[name] == nil {
      // A region without routing states the name that its database would have.
      if key == "routingDbFilename", !region.hasRoutingData { continue }
      add(
        .region, file, "\(key) is “\(name)”, which is not a file of the bundle",
        BundleFinding.publishAgain)
    }
  }

  /// All values of `region.json` that name files, recognized by their keys, such as those of tiles.
  /// Nil if it has an invalid value, such as 1e400, which its record ignores.
  private func fileNames(in path: String) -> [(key: String, name: String)]? {
    guard let bytes = try? InputFile(path).readAll(limit: 16 << 20),
      let object = JSONValue(json: bytes)?.object
    else { return nil }
    return object.sorted { $0.key < $1.key }.compactMap { key, value in
      guard key.hasSuffix("Filename"), case .text(let name) = value else { return nil }
      return (key, name)
    }
  }

  /// Compares the entry of `index.json` with the bundle.
  private mutating func checkEntry(_ entry: IndexRecord.Region, _ record: BundleRecord) {
    let different = entry.differences(from: record, RegionRecord(inFolder: path))
    guard !different.isEmpty else { return }
    add(
      .index, IndexRecord.fileName,
      "\(different.joined(separator: ", ")) of \(record.id) \(different.count == 1 ? "is" : "are") "
        + "not as in the bundle",
      "run cairn run to write the index again; a run was interrupted, or the index was changed")
  }
}
