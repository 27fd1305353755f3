import DictationText
import Testing

/// The name of a mark is a noun if the grammar needs one, and otherwise a mark.
@Suite("Names of marks in a sentence")
struct MentionedMarkTests {
    private static let nouns: [Row] = [
        Row(
            "Add period and comma to the list of allowed separators.",
            "Add period and comma to the list of allowed separators."),
        Row(
            "Separate the fields by comma, not by semicolon.",
            "Separate the fields by comma, not by semicolon."),
        Row("Replace comma with semicolon.", "Replace comma with semicolon."),
        Row("Use comma as the separator.", "Use comma as the separator."),
        Row("It goes on until the next newline character.", "It goes on until the next newline character."),
        Row("A terminating newline is printed.", "A terminating newline is printed."),
        Row("There was a misplaced semicolon after it.", "There was a misplaced semicolon after it."),
        Row("Remove the deny maintenance period.", "Remove the deny maintenance period."),
        Row(
            "Remove the trailing comma and the trailing period.",
            "Remove the trailing comma and the trailing period."),
        Row("dot, dash and slash.", "Dot, dash and slash."),
        Row("how long ago was the jurassic period", "How long ago was the jurassic period?"),
        Row("How long ago was the Jurassic period?", "How long ago was the Jurassic period?"),
        Row("is it in the large colon", "Is it in the large colon?"),
        Row("insert comma here", "Insert comma here."),
        Row("use period or comma as the decimal mark", "Use period or comma as the decimal mark."),
        Row("i typed comma instead of period", "I typed comma instead of period."),
        Row("there is a big question mark", "There is a big question mark."),
        Row("the file lacks a trailing new line", "The file lacks a trailing new line."),
        Row("hundred meter dash", "Hundred meter dash."),
        Row("the hundred meter dash", "The hundred meter dash."),
        Row("please do not use semicolon at the end", "Please do not use semicolon at the end."),
        Row("never use comma before and", "Never use comma before and."),
        Row("change comma to semicolon", "Change comma to semicolon."),
        Row("change the dash to hyphen", "Change the dash to hyphen."),
        Row("replace all dashes with hyphen", "Replace all dashes with hyphen."),
        Row("the values are separated by comma", "The values are separated by comma."),
        Row("the list is delimited by semicolon", "The list is delimited by semicolon."),
        Row("please add question mark after the title", "Please add question mark after the title."),
        Row("remove trailing comma", "Remove trailing comma."),
        Row("add comma after bob", "Add comma after Bob."),
        Row("and then add comma after bob", "And then add comma after Bob."),
        Row("you should use colon instead of dash", "You should use colon instead of dash."),
        Row("put semicolon between the two clauses", "Put semicolon between the two clauses."),
        Row("type exclamation mark here", "Type exclamation mark here."),
        Row("i used comma and not semicolon", "I used comma and not semicolon."),
        Row("use comma separated values", "Use comma separated values."),
        Row("it is a comma splice", "It is a comma splice."),
        Row("write comma and semicolon in words", "Write comma and semicolon in words."),
        Row("choose between comma and semicolon", "Choose between comma and semicolon."),
        Row("is it hyphen or dash", "Is it hyphen or dash?"),
        Row("comma or semicolon", "Comma or semicolon."),
        Row("add semi colon at the end of the line", "Add semi colon at the end of the line."),
        Row("the sentence needs a leading dash", "The sentence needs a leading dash."),
        Row("end each line with period", "End each line with period."),
        Row("begin the name with dash", "Begin the name with dash."),
        Row("separate by semicolon or colon", "Separate by semicolon or colon."),
        Row("split the text by new line", "Split the text by new line."),
        Row("delete the last comma", "Delete the last comma."),
        Row("type dash twice", "Type dash twice."),
        Row("delete comma in line three", "Delete comma in line three."),
        Row("enter question mark to see the help", "Enter question mark to see the help."),
        Row("please do not put comma before and", "Please do not put comma before and."),
        Row("you can add colon at the end", "You can add colon at the end."),
        Row("i would not use semicolon here", "I would not use semicolon here."),
        Row("don't type period after the title", "Don't type period after the title."),
        Row("use hyphen instead of dash", "Use hyphen instead of dash."),
        Row("Press question mark to see the shortcuts.", "Press question mark to see the shortcuts."),
        Row("Type period, comma and semicolon.", "Type period, comma and semicolon."),
        Row(
            "We use comma and period differently in German.",
            "We use comma and period differently in German."),
        Row("Each line ends with comma or semicolon.", "Each line ends with comma or semicolon."),
    ]

    private static let marks: [Row] = [
        Row(
            "dear bob comma new line thank you for your letter period",
            "Dear Bob,\nThank you for your letter."),
        Row("which one are you interested in question mark", "Which one are you interested in?"),
        Row("i would use it comma but not today period", "I would use it, but not today."),
        Row("add milk comma eggs comma and bread period", "Add milk, eggs, and bread."),
        Row("delete it period", "Delete it."),
        Row("with best wishes comma", "With best wishes."),
        Row("delete comma copy comma and paste period", "Delete, copy, and paste."),
        Row("please delete period", "Please delete."),
        Row("please write new line", "Please write."),
        Row("what should i delete question mark", "What should I delete?"),
        Row("what can i add question mark", "What can I add?"),
        Row("is there anything to add question mark", "Is there anything to add?"),
        Row("things to add colon milk comma eggs", "Things to add: milk, eggs."),
        Row(
            "this is what i use comma for example comma at work",
            "This is what I use, for example, at work."),
        Row(
            "the tool that i use comma as you know comma is old",
            "The tool that I use, as you know, is old."),
        Row("the man i work with comma my boss comma is here", "The man I work with, my boss, is here."),
        Row("who are you going with question mark", "Who are you going with?"),
        Row("where are you period", "Where are you."),
        Row("is it on the desk period please send it", "Is it on the desk. Please send it."),
        Row("what did you replace it with question mark", "What did you replace it with?"),
        Row("he came by comma and left period", "He came by, and left."),
        Row("he came comma and comma of course comma he left", "He came, and, of course, he left."),
        Row("i would use comma if i may comma a pen", "I would use, if I may, a pen."),
        Row("read comma write comma and delete period", "Read, write, and delete."),
        Row("a big comma bad wolf period", "A big, bad wolf."),
        Row("he is big comma strong comma and fast period", "He is big, strong, and fast."),
        Row("what does it end in question mark", "What does it end in?"),
        Row("add colon new line milk new line eggs", "Add:\nMilk\nEggs."),
        Row("to do colon new line call bob period", "To do:\nCall Bob."),
        Row("use it instead period", "Use it instead."),
        Row("i want you to type period", "I want you to type."),
        Row("first we add comma then we remove period", "First we add, then we remove."),
        Row("please type comma slowly", "Please type, slowly."),
        Row("i need to write comma and i need to read period", "I need to write, and I need to read."),
        Row(
            "the number you replace comma in this case comma is two",
            "The number you replace, in this case, is two."),
        Row(
            "thank you for your time comma and please write period",
            "Thank you for your time, and please write."),
        Row(
            "let us begin with the first item colon the budget period",
            "Let us begin with the first item: the budget."),
        Row("what would you like to start with question mark", "What would you like to start with?"),
        Row("he wrote comma and i replied period", "He wrote, and I replied."),
        Row("i live alone comma separated from my wife period", "I live alone, separated from my wife."),
        Row("best regards comma new line john", "Best regards,\nJohn"),
        Row("can you type question mark", "Can you type?"),
        Row(
            "let me add comma as always comma that i am happy period",
            "Let me add, as always, that I am happy."),
        Row("we split up comma as you know period", "We split up, as you know."),
        Row("and then comma after the rain comma we left period", "And then, after the rain, we left."),
        Row("i will add comma if you like comma a note period", "I will add, if you like, a note."),
        Row("he said yes comma and then he left period", "He said yes, and then he left."),
        Row("are you there question mark or not question mark", "Are you there? Or not?"),
        Row("he ends his letter with love comma john", "He ends his letter with love, John."),
        Row("please change it to blue comma or to red period", "Please change it to blue, or to red."),
        Row("who is it by question mark", "Who is it by?"),
        Row(
            "i use it here comma there comma and everywhere period",
            "I use it here, there, and everywhere."),
        Row(
            "the food that i avoid comma in general comma is meat period",
            "The food that I avoid, in general, is meat."),
        Row("as i write comma the sun comes up period", "As I write, the sun comes up."),
        Row("when i type comma as now comma it is slow period", "When I type, as now, it is slow."),
        Row("do write comma and come back period", "Do write, and come back."),
        Row("stop comma wait comma and listen period", "Stop, wait, and listen."),
        Row("the end period or is it question mark", "The end. Or is it?"),
        Row("thank you comma and best wishes comma john", "Thank you, and best wishes, John."),
        Row("yes you can add comma but please ask period", "Yes you can add, but please ask."),
        Row("for developers comma use colon", "For developers, use:"),
        Row("to upgrade comma replace colon new line the old file", "To upgrade, replace:\nThe old file."),
        Row("keep the notice semicolon and period", "Keep the notice; and."),
        Row(
            "change how you have to comma for example comma write period",
            "Change how you have to, for example, write."),
    ]

    @Test("stay words as objects, after adjectives and next to each other", arguments: nouns)
    func words(_ row: Row) {
        #expect(TextCleaner().clean(row.raw).text == row.clean)
        #expect(TextCleaner().clean(row.clean).text == row.clean)
    }

    @Test("are marks after the same words where a clause may end", arguments: marks)
    func spoken(_ row: Row) { #expect(TextCleaner().clean(row.raw).text == row.clean) }
}
