import DictationText
import Testing

@Suite("What is said again after a hesitation, and the commas around it")
struct ResumptionTests {
    static let saidAgain = [
        Row("find out um find out how it works", "Find out how it works."),
        Row("How much is my water, uh, water bill?", "How much is my water bill?"),
        Row("I met Sam, um, Sam Jones.", "I met Sam Jones."),
        Row("Open my Target, uh, Target app now.", "Open my Target app now."),
        Row("help me find the status uh shipping status", "Help me find the shipping status."),
        Row("pay that bill uh the water bill", "Pay the water bill."),
        Row("log a walk um log that i took a walk", "Log that I took a walk."),
        Row("read the um read my mail", "Read my mail."),
        Row("Add him as a con, um, contact.", "Add him as a contact."),
        Row("for cleaning supplies um yeah cleaning supplies", "For cleaning supplies."),
        Row("send it to um yeah the group", "Send it to the group."),
        Row("send it to ah the group", "Send it to the group."),
        Row("make a new um new contact", "Make a new contact."),
    ]

    static let meant = [
        Row("it's up to you um you decide", "It's up to you you decide."),
        Row("We are at the store, um, the store is closed.", "We are at the store, the store is closed."),
        Row("What are you looking at, um, what is that?", "What are you looking at what is that?"),
        Row("Open wide and say ah for me.", "Open wide and say ah for me."),
        Row("He smokes, um, he does not smoke here.", "He smokes, he does not smoke here."),
    ]

    static let commas = [
        Row("Give me, um, the salt.", "Give me the salt."),
        Row("Tell, uh, Marco that I'm late.", "Tell Marco that I'm late."),
        Row("The patient, uh, fell and hit her head.", "The patient fell and hit her head."),
        Row("Lisbon in, um, April.", "Lisbon in April."),
        Row("It's in, you know, the kitchen.", "It's in the kitchen."),
        Row("I think, um, we should go.", "I think we should go."),
        Row("In the morning, um, call Bob.", "In the morning, call Bob."),
        Row("Buy bread, um, milk, and eggs.", "Buy bread, milk, and eggs."),
        Row("He came in, um, the door was open.", "He came in, the door was open."),
    ]

    @Test("goes the first time", arguments: saidAgain) func again(_ row: Row) { row.check(in: .english) }
    @Test("stays if both are meant", arguments: meant) func both(_ row: Row) { row.check(in: .english) }
    @Test("commas stay only if the sentence needs them", arguments: commas)
    func comma(_ row: Row) { row.check(in: .english) }
}
