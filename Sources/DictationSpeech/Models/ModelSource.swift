import DictationHTTP
import DictationSystem
import Foundation

/// Where the catalogue of models is, and the models.
public struct ModelSource: Sendable, Equatable {
    /// The absolute path of a file, or an address of http or https; empty if there is none.
    public var catalogue: String
    /// Where the relative addresses of the catalogue begin; empty: where the catalogue itself is.
    public var address: String

    public init(catalogue: String, address: String = "") {
        self.catalogue = catalogue
        self.address = address
    }

    /// The same without what only a server knows.
    public var withoutServer: ModelSource { isRemote ? ModelSource(catalogue: "") : self }

    private var isRemote: Bool { catalogue.hasPrefix("http://") || catalogue.hasPrefix("https://") }

    /// - Throws: ``ModelError``; `CancellationError` when the task is cancelled.
    public func load() async throws -> ModelCatalogue {
        guard !catalogue.isEmpty else { throw ModelError.noCatalogue }
        let data: Data
        do {
            if isRemote {
                var request = HTTPRequest(catalogue)
                request.limits.answer = ModelCatalogue.largestFile
                data = try await HTTPClient().send(request, retrying: .askingServer).body
            } else {
                data = try Data(ofPlainFile: catalogue, upTo: ModelCatalogue.largestFile)
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            throw ModelError.catalogueNotLoaded(from: catalogue, reason: error.plainReason)
        }
        guard data.count <= ModelCatalogue.largestFile else {
            throw ModelError.catalogueNotLoaded(from: catalogue, reason: "it is larger than 8 MiB")
        }
        return try ModelCatalogue(data)
    }

    /// Where relative addresses begin.
    public var base: String {
        if !address.isEmpty { return address }
        guard isRemote, let slash = catalogue.lastIndex(of: "/") else { return "" }
        return String(catalogue[..<slash])
    }
}
