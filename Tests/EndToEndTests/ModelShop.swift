import Foundation
import TestSupport

/// A server with a catalog of one model, a small one that hears tones.
struct ModelShop {
    let server: LoopbackServer
    /// The settings that use it.
    var settings: String { "[models]\ncatalogue = \"\(server.address("/mirror/models.json"))\"\n" }

    static func open(offering name: String) async throws -> ModelShop {
        let files = ["model.onnx", "tokens.txt"].map {
            ($0, repositoryFile("Tests/ToneModels/streaming/\($0)"))
        }
        var listed: [String] = []
        for (name, path) in files {
            let hash = try await Program.run("sha256sum", [path]).prefix(64)
            let size = try Data(contentsOf: URL(filePath: path)).count
            listed.append(
                "{\"path\": \"\(name)\", \"size\": \(size), \"sha256\": \"\(hash)\", \"address\": \"\(name)\"}"
            )
        }
        let catalogue = """
            {"models": [{"name": "\(name)", "engine": "sherpa-onnx", "licence": "MIT", "files": [\(listed.joined(separator: ","))],
            "description": {"family": "streaming-zipformer2-ctc", "languages": ["en"],
            "files": {"model": "model.onnx", "tokens": "tokens.txt"}}}]}
            """
        let server = try LoopbackServer { request in
            let name = String(request.path.dropFirst("/mirror/".count))
            if name == "models.json" { return [.answer(200, [:], Data(catalogue.utf8))] }
            guard let path = files.first(where: { $0.0 == name })?.1,
                let data = FileManager.default.contents(atPath: path)
            else { return [.answer(404)] }
            return [.answer(200, [:], data)]
        }
        return ModelShop(server: server)
    }

    /// How often the model itself was fetched.
    var downloads: Int { server.requests.count { $0.path.hasSuffix("model.onnx") } }
}
