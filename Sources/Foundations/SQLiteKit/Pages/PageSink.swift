// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// Where the pages of trees go, in the order of their numbers.
package protocol PageSink: AnyObject {
  /// The size of a page in bytes, a power of two from 512 to 65536.
  var pageSize: Int { get }
  /// The number that the next page gets.
  var nextPage: UInt32 { get }
  /// The number of the page that follows another one.
  func page(after page: UInt32) -> UInt32
  /// Appends a page. `links` are the offsets of the numbers of other pages in it.
  func append(_ page: UnsafeRawBufferPointer, links: [Int]) throws(CairnError)
}

/// Pages of trees that have no place in a file yet, numbered from 0, all in memory. One thread can
/// lay out a tree here while others lay out others; ``DatabasePages/place(_:)`` then writes them,
/// in an order that does not depend on the threads.
///
/// It must be used by one thread at a time.
package final class PageRun: PageSink, @unchecked Sendable {
  package let pageSize: Int
  /// Pieces of memory that are not moved while the run grows.
  private var pieces: [UnsafeMutableRawBufferPointer] = []
  private let pagesPerPiece: Int
  private var links: [(page: UInt32, offset: UInt16)] = []
  package private(set) var nextPage: UInt32 = 0

  /// Makes an empty run of pages for a database with this page size. Throws 70 if it is invalid.
  package init(pageSize: Int = PageLayout.standardPageSize) throws(CairnError) {
    try PageLayout.check(pageSize)
    self.pageSize = pageSize
    pagesPerPiece = (1 << 20) / pageSize
  }

  deinit { pieces.forEach { $0.deallocate() } }

  package func page(after page: UInt32) -> UInt32 { page + 1 }

  package func append(_ page: UnsafeRawBufferPointer, links: [Int]) throws(CairnError) {
    guard page.count == pageSize, nextPage < UInt32.max - 1 else {
      throw CairnError(.database, .software, "a run of pages is too long or has another page size")
    }
    let index = Int(nextPage) % pagesPerPiece
    if index == 0 {
      pieces.append(.allocate(byteCount: pagesPerPiece * pageSize, alignment: 16))
    }
    pieces[pieces.count - 1][(index * pageSize)...].copyBytes(from: page)
    for link in links { self.links.append((nextPage, UInt16(link))) }
    nextPage += 1
  }

  /// Passes all pages on to another sink.
  ///
  /// - Returns: The number in that sink of a page of the run.
  func move(to sink: some PageSink) throws(CairnError) -> (UInt32) -> UInt32 {
    var numbers: [UInt32] = []
    numbers.reserveCapacity(Int(nextPage))
    var number = sink.nextPage
    for _ in 0..<nextPage {
      numbers.append(number)
      number = sink.page(after: number)
    }
    var link = 0
    var offsets: [Int] = []
    for index in 0..<Int(nextPage) {
      let start = index % pagesPerPiece * pageSize
      let page = UnsafeMutableRawBufferPointer(
        rebasing: pieces[index / pagesPerPiece][start..<(start + pageSize)])
      offsets.removeAll(keepingCapacity: true)
      while link < links.count, Int(links[link].page) == index {
        let offset = Int(links[link].offset)
        let target = page.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        page.storeBytes(
          of: numbers[Int(UInt32(bigEndian: target))].bigEndian, toByteOffset: offset,
          as: UInt32.self)
        offsets.append(offset)
        link += 1
      }
      try sink.append(UnsafeRawBufferPointer(page), links: offsets)
    }
    pieces.forEach { $0.deallocate() }
    pieces = []
    links = []
    nextPage = 0
    return { numbers[Int($0)] }
  }
}
