import Foundation

extension ModelCatalogue {
    /// The models that this program knows: `catalogue.json`, which is compiled in. Better ones come first.
    ///
    /// None of their archives was fetched by us. Sizes and hashes are those that at least two public projects state; an
    /// archive that is another one is refused.
    ///
    /// - Throws: ``ModelError/badCatalogue(reason:)``
    public static func builtIn() throws(ModelError) -> ModelCatalogue {
        try ModelCatalogue(Data(PackageResources.catalogue_json))
    }
}
