// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Glibc

/// The folder and the last component of a path; the folder is `.` if the path has none.
package func splitPath(_ path: String) -> (folder: String, name: String) {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
  let folder = String(path[..<slash])
  return (folder.isEmpty ? "/" : folder, String(path[path.utf8.index(after: slash)...]))
}

/// The path of `name` in `folder`, or `name` itself if it is absolute.
package func joinPath(_ folder: String, _ name: String) -> String {
  if name.utf8.first == UInt8(ascii: "/") || folder.isEmpty || folder == "." { return name }
  return folder.utf8.last == UInt8(ascii: "/") ? folder + name : folder + "/" + name
}

/// Creates a folder and its missing parents. Throws 73 if that fails.
package func makeFolders(_ path: String) throws(CairnError) {
  try checkPath(path) { writeError($0, path, doing: "create folder") }
  var status = stat()
  if stat(path, &status) == 0 {
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw writeError(ENOTDIR, path, doing: "create folder")
    }
    return
  }
  // Any other error would also occur for the parents; and a path that is too long for the system is
  // too long for the recursion.
  guard errno == ENOENT else { throw writeError(errno, path, doing: "create folder") }
  let parent = splitPath(path).folder
  if parent != path, parent != "." { try makeFolders(parent) }
  guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
    throw writeError(errno, path, doing: "create folder")
  }
}

/// The names in a folder except `.` and `..`, in byte order. Throws 66 if it is missing or not a
/// folder.
package func folderContents(_ path: String) throws(CairnError) -> [String] {
  try checkPath(path) { readError($0, path) }
  guard let folder = opendir(path) else { throw readError(errno, path) }
  defer { closedir(folder) }
  var names: [String] = []
  while true {
    errno = 0
    guard let entry = readdir(folder) else {
      guard errno == 0 else { throw readError(errno, path) }
      break
    }
    let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
        String(cString: $0)
      }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
}

/// The file that a path denotes: itself, or the file with the given ending in a folder, such as a
/// bundle. Of `andorra.routing.db` and `andorra.winter.routing.db` it is the first: the others have
/// the profiles of variants.
///
/// Throws 66 if a folder has none or several.
///
/// - Parameters:
///   - ending: `.routing.db` and the like.
///   - hint: A remedy if the folder has none.
package func fileOfBundle(_ path: String, _ ending: String, hint: String? = nil)
  throws(CairnError) -> String
{
  guard folderExists(path) else { return path }
  let names = try folderContents(path).filter { $0.hasSuffix(ending) && !$0.hasPrefix(".") }
  let main = names.filter { name in
    names.allSatisfy { $0 == name || $0.hasPrefix(name.dropLast(ending.count) + ".") }
  }
  guard let name = main.first else {
    throw CairnError(
      "no-file-of-bundle", .noInput,
      names.isEmpty
        ? "has no \(ending)"
          + (pathExists(joinPath(path, "index.json"))
            ? " of its own; it contains bundles" : "")
        : "has several: \(names.prefix(5).joined(separator: ", "))",
      at: Location(file: path),
      hint: names.isEmpty
        ? hint ?? "give the folder of a bundle, such as OUTPUT/REGION, or the path of a file"
        : "give the path of one")
  }
  return joinPath(path, name)
}

/// Whether a file, folder or anything else exists at a path.
package func pathExists(_ path: String) -> Bool { access(path, F_OK) == 0 }

/// Whether a folder exists at a path, itself or through a symbolic link.
package func folderExists(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// The folder that contains the executable of this process.
package func executableFolder() -> String {
  var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
  let count = buffer.withUnsafeMutableBufferPointer { bytes in
    bytes.withMemoryRebound(to: CChar.self) { chars in
      chars.baseAddress.map { readlink("/proc/self/exe", $0, chars.count) } ?? -1
    }
  }
  guard count > 0 else { return "." }
  return splitPath(String(decoding: buffer.prefix(count), as: UTF8.self)).folder
}
