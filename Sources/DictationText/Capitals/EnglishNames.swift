/// Names of people and places that are no other words in lower case. Those that are ("will", "mark", "grace",
/// "rose", "bill",
/// "jack", "may", "art", "hope", "dawn", "nick") stay as they were heard, unless they are among the user's
/// own words or a title
/// stands before them.
extension MarkWords {
    /// Given names.
    static let englishNames: Set<String> = list(
        """
        aaron abby abigail abraham adam adele adrian agatha agnes aidan aisha alan alana albert alberto \
        alec alejandro alex alexa alexander alexandra alexis alfred ali alice alicia alison allison \
        alyssa amanda amelia amir amy ana andre andrea andreas andrew angela angelina angie anita ann \
        anna annabelle anne annette annie anthony antonia antonio ariana arnold arthur ashley audrey \
        austin barbara barry beatrice becky belinda ben benjamin bernadette bernard beth bethany betty \
        beverly bianca bob bobby bonnie boris brad bradley brandon brenda brendan brent brian bridget \
        britney brittany bruce bruno bryan caleb cameron camilla carl carla carlos carmen carolina \
        caroline carolyn cassandra catherine cathy cecilia charles charlie charlotte chelsea cheryl chloe \
        chris christina christine christopher cindy claire clara clarence claudia clive colin connie \
        connor corey courtney craig curtis cynthia damian dan dana daniel daniela danielle danny darren \
        dave david debbie deborah debra denise dennis derek diana diane diego dmitri dominic donald donna \
        doris dorothy doug douglas duncan dylan edgar edith edmund eduardo edward edwin eileen elaine \
        eleanor elena eli elias elijah elisa elisabeth elizabeth ella ellen ellie elliot eloise elsa \
        emily emma enrique eric erica erik erin ernest esther ethan eugene eva evan evelyn felicia felix \
        fernando fiona florence frances francesca francis francisco francois freddie frederick gabriel \
        gabriela gareth gavin geoff geoffrey george gerald gerard gina giovanni giulia gladys glenn \
        gloria gordon graham greg gregory greta gustavo hanna hannah hans harold harriet harry harvey \
        hassan hector heidi helen helena henry herbert hilary howard hugh hugo ian ibrahim ingo ingrid \
        irene isaac isabel isabella isabelle ivan jackie jackson jacob jacqueline jake james jamie jan \
        jane janet janice jared jason javier jeff jeffrey jen jenna jennifer jenny jeremy jerome jerry \
        jesse jessica jill jim jimmy joachim joan joanna joanne joe joel johanna john johnny jon jonas \
        jonathan jordan jorge jose josef joseph josephine josh joshua joyce juan juanita judith judy \
        julia julian juliana julie juliet julius justin jürgen karen karim karl kate katherine kathleen \
        kathryn kathy katie kayla keith kelly ken kendra kenneth kenny kevin khalid kim kimberly kirsten \
        klaus kristen kristin kristina kurt kyle larry lars laura lauren laurence laurie leah lena leo \
        leon leonard leonardo leslie liam linda lindsay lisa logan lois lola lorenzo lorraine louis \
        louisa louise lucas lucia lucinda lucy luigi luis lukas luke lydia lynn mabel madeleine madison \
        maggie malcolm manuel marc marcel marcia marco marcus margaret margot maria mariam marian marie \
        marilyn mario marion marissa marlene marta martha martin martina marvin mary mateo mateus mathew \
        matilda matt matthew maureen maurice megan melanie melinda melissa mia michael michelle miguel \
        mike mildred miranda miriam mitchell mohamed mohammed molly monica monique morgan muhammad muriel \
        myra nadia nadine nancy naomi natalia natalie natasha nathan nathaniel neil nelson nicholas \
        nicola nicolas nicole nigel nina noah nora norman olga oliver olivia omar oscar oswald otto owen \
        pablo pamela patricia patrick patty paul paula pauline pedro penelope percy peter petra philip \
        phillip phoebe phyllis pierre priscilla priya rachel rafael rajesh ralph ramon randall raymond \
        rebecca regina reginald renee rhonda ricardo richard rita robbie robert roberta roberto rodney \
        rodrigo roger roland ronald rosa rosalind rosie ross roxanne rudolf rupert russell ruth ryan \
        sabrina sally sam samantha samuel sandra sanjay sara sarah scott sean sebastian sergei sergio \
        seth shannon sharon shaun sheila shirley sidney sigrid silvia simon sofia sonia sophia sophie \
        stacy stan stanley stefan stella stephanie stephen steve steven stuart susan susanna susie \
        suzanne sven sybil sydney sylvia tamara tanya tara tatiana taylor ted terence teresa tessa thelma \
        theodore theresa thomas tiffany tim timothy tina tobias toby todd tom tomas tommy tony tracy \
        trevor tristan tyler ursula valentina valerie vanessa veronica victor victoria vijay vincent \
        vivian vladimir walter wanda wayne wendy wesley wilfred william winifred wolfgang xavier yasmin \
        yolanda yusuf yvette yvonne zachary zoe
        """)

    /// Towns, states and countries, beside those with a capital of their own in ``english``.
    static let englishPlaces: Set<String> = list(
        """
        afghanistan alabama alaska albania algeria angola antwerp arizona arkansas asia athens atlanta \
        auckland baghdad baltimore bangalore bangkok bangladesh barcelona beirut belarus belfast belgrade \
        birmingham bogota bolivia botswana brisbane bristol bucharest budapest bulgaria cairo calgary \
        cambridge caracas cleveland colombia colorado connecticut copenhagen croatia cuba cyprus \
        dallas damascus delaware delhi denver detroit dubai dublin ecuador edinburgh estonia ethiopia \
        frankfurt geneva georgia ghana glasgow guatemala haiti hamburg havana hawaii helsinki honduras \
        honolulu houston hungary iceland idaho illinois indiana indonesia iowa iran iraq istanbul jakarta \
        jamaica jerusalem johannesburg kabul kansas karachi kazakhstan kentucky kenya krakow kuwait kyiv \
        kyoto lagos latvia lebanon libya lima lisbon lithuania liverpool louisiana luxembourg lyon \
        madagascar malaysia malta manchester manila marseille maryland massachusetts melbourne memphis \
        miami michigan milan milwaukee minneapolis minnesota mississippi missouri monaco mongolia montana \
        montreal morocco mozambique mumbai munich nairobi namibia naples nashville nebraska nepal nevada \
        nicaragua nigeria ohio oklahoma oregon orlando osaka oslo ottawa oxford panama paraguay \
        pennsylvania peru philadelphia philippines pittsburgh portland prague qatar riyadh romania \
        rotterdam sacramento salzburg santiago senegal seoul serbia seville shanghai singapore slovakia \
        slovenia stockholm stuttgart sudan syria taiwan tanzania tehran tennessee thailand toronto \
        tunisia turin uganda uruguay utah utrecht valencia vancouver venezuela venice vermont vietnam \
        virginia warsaw wisconsin wyoming yemen zagreb zambia zimbabwe zurich
        """)

    /// Names of several words, with commas between them.
    static let englishNamePhrases: [String: [[String]]] = Language.byFirstWord(
        """
        new york, los angeles, san francisco, san diego, san jose, las vegas, new zealand, new jersey, \
        new orleans, \
        new mexico, new hampshire, new delhi, hong kong, united states, united kingdom, united nations, \
        south africa, \
        south korea, north korea, saudi arabia, sri lanka, cape town, tel aviv, abu dhabi, rio de \
        janeiro, buenos aires, \
        mexico city, salt lake city, costa rica, puerto rico, el salvador, north carolina, south \
        carolina, north dakota, \
        south dakota, west virginia, rhode island, kuala lumpur, saint petersburg, st petersburg, tower \
        bridge, \
        santa claus, new york city, google maps, google drive, microsoft teams
        """)
}
