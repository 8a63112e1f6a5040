// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension GPXFile {
  /// The metadata of a file.
  public struct Metadata: Equatable, Sendable {
    /// Its name.
    public var name: String?
    /// A description.
    public var description: String?
    /// The author.
    public var author: Person?
    /// The copyright of the data.
    public var copyright: Copyright?
    /// Links to more about it.
    public var links: [Link] = []
    /// When it was made.
    public var time: Date?
    /// Words to find it by, with commas between them.
    public var keywords: String?
    /// The area covered.
    public var bounds: BoundingBox?
    /// See ``Point/Details/extensions``.
    public var extensions: String?

    /// Makes an empty collection.
    public init() {}
  }

  /// A person or an organisation.
  public struct Person: Equatable, Sendable {
    /// Its name.
    public var name: String?
    /// The email address, with one `@`.
    public var email: String?
    /// A link to more information.
    public var link: Link?

    /// Makes a person.
    public init(name: String? = nil, email: String? = nil, link: Link? = nil) {
      self.name = name
      self.email = email
      self.link = link
    }
  }

  /// The owner of the data, and the terms for its use.
  public struct Copyright: Equatable, Sendable {
    /// The holder.
    public var author: String
    /// The year, 1…9999.
    public var year: Int?
    /// The address of the licence.
    public var license: String?

    /// Makes a notice.
    public init(author: String, year: Int? = nil, license: String? = nil) {
      self.author = author
      self.year = year
      self.license = license
    }

    /// The attribution required with OpenStreetMap data.
    public static let openStreetMap = Copyright(
      author: "OpenStreetMap contributors",
      license: "https://opendatacommons.org/licenses/odbl/1-0/")
  }

  /// The address of a page, with its title.
  public struct Link: Equatable, Sendable {
    /// The address.
    public var href: String
    /// The title.
    public var text: String?
    /// The type of the content, such as `image/jpeg`.
    public var type: String?

    /// Makes a link.
    public init(href: String, text: String? = nil, type: String? = nil) {
      self.href = href
      self.text = text
      self.type = type
    }
  }
}
