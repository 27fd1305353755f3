import DictationSystem
import Foundation
import Glibc
import Testing

@Suite("The reason of an error")
struct PlainReasonTests {
    private struct Catalog: Decodable {
        struct Model: Decodable { let name: String }
        let models: [Model]
    }

    @Test(
        "names the place in a JSON file",
        arguments: [
            ("{\"models\": [{\"name\": \"a\"}, {}]}", "models[1] has no “name”"),
            ("{}", "it has no “models”"),
            ("{\"models\": [{\"name\": 5}]}", "models[0].name is of another type"),
            ("[]", "it is of another type"), ("{\"models\": ", "it is no JSON"),
        ])
    func json(text: String, reason: String) {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Catalog.self, from: Data(text.utf8))
        }
        #expect(error?.plainReason == reason)
    }

    @Test("of a system call is the system's, without the file, which a message names itself")
    func systemCall() {
        #expect(SystemError("open /x", code: EROFS).plainReason == "Read-only file system")
    }
}
