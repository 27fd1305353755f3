import DictationSystem
import Testing

@Suite("Where a user's files are")
struct UserFolderTests {
    @Test(
        "is what XDG's variables say, or below the home that HOME names",
        arguments: [
            (["XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d/", "HOME": "/h"], "/c", "/d"),
            (["HOME": "/h"], "/h/.config", "/h/.local/share"),
            (["XDG_CONFIG_HOME": "c", "XDG_DATA_HOME": "", "HOME": "/h"], "/h/.config", "/h/.local/share"),
        ])
    func place(environment: [String: String], configuration: String, data: String) {
        #expect(UserFolder.configuration.path(environment) == configuration)
        #expect(UserFolder.data.path(environment) == data)
        #expect(UserFolder.state.path(environment) == "/h/.local/state")
    }

    @Test("without a home of the environment it is the system's own", arguments: UserFolder.allCases)
    func systemsOwn(folder: UserFolder) {
        for environment in [[:], ["HOME": "relative"]] {
            #expect(folder.path(environment).hasPrefix("/"))
        }
    }
}
