/// The names of the rules, in the order in which they act. The raw values are what a configuration file says.
public enum CleaningRule: String, Sendable, CaseIterable, Codable {
    /// White space becomes single spaces, separate marks join the word before them, control characters and invisible
    /// direction marks go. Always on.
    case spacing
    /// "Comma", "new line", "open quote" and the like become marks and lines; "literal comma" stays a word.
    case spokenMarks
    /// "Scratch that" at the end of a sentence removes the sentence.
    case scratching
    /// Removes what the speaker took back, with the edit term: "to bob, no, to alice".
    case selfCorrections
    /// Removes "you know", "I mean", "like", "so" and "well" if they have no meaning.
    case fillerPhrases
    /// "um", "uh", "er", "hmm" and their drawn-out spellings go.
    case hesitations
    /// "w- w- we" becomes "we".
    case stutters
    /// "the the" and "I think I think" become one; "very very", "two two" and "had had" stay.
    case repetitions
    /// "I was I am", "the my keys", "set a timer for set an alarm": the first one goes.
    case restarts
    /// Writes words as the user's dictionary has them, and terms that are likely now. No rule touches those that the dictionary
    /// calls untouchable.
    case dictionary
    /// Words that come without any mark get commas, periods and question marks if a model is certain enough;
    /// ``pauses`` count. Only in languages that it has learned.
    case marks
    /// If words have no punctuation, long pauses end sentences, and short ones end clauses.
    case pauses
    /// "bob at example dot com" becomes "bob@example.com".
    case addresses
    /// "mister brown" becomes "Mr. Brown", "s and p" "S&P".
    case abbreviations
    /// "five dollars and ten cents" becomes "$5.10".
    case money
    /// "two hundred meters" becomes "200 m", "eighteen percent" "18%".
    case measures
    /// "the fifth of may twenty twelve" becomes "5 May 2012", "nineteen eighty four" "1984".
    case dates
    /// "version two point one point three" becomes "version 2.1.3".
    case versions
    /// Four digits and more, said one by one: telephone numbers, codes.
    case digitRows
    /// "half past three" becomes "3:30", "five p m" "5 PM".
    case times
    /// Letters and digits that are spelled: "x eighty six" becomes "x86".
    case codes
    /// "two thirds" becomes "2/3".
    case fractions
    /// "sixty point two" becomes "60.2", "four hundred million" "400 million".
    case decimals
    /// "twenty first" becomes "21st"; up to the twelfth they stay words.
    case ordinals
    /// "two hundred five" becomes "205"; up to twelve they stay words.
    case cardinals
    /// Days, months, languages, abbreviations get their capitals; letters that are spelled become one word.
    case properWords
    /// The start of a sentence and the word "I" get their capitals.
    case capitals
    /// The end gets a period, or a question mark if the last sentence begins as a question.
    case finalMark
}
