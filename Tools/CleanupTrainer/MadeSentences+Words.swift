/// The words that made sentences are filled with.
extension MadeCorrections {
    /// The words that can replace each other, by their kind.
    static let slots: [String: [String]] = [
        "name": list(
            """
            bob, alice, john, mary, peter, susan, doctor miller, mister brown, anna, david, the manager, my brother, \
            my sister, our lawyer, the landlord, the whole team, claire, thomas, mrs green, the new nurse, laura, kevin
            """),
        "day": list(
            """
            monday, tuesday, wednesday, thursday, friday, saturday, sunday, tomorrow, today, next week, next monday, \
            the first of may, the third of june, march, october, next month, the weekend, this afternoon
            """),
        "weekday": list("monday, tuesday, wednesday, thursday, friday, saturday, sunday"),
        "time": list(
            """
            five, six, seven, half past three, noon, midnight, two thirty, four o'clock, eight in the morning, five pm, \
            nine am, a quarter to ten, ten fifteen, seven thirty, three in the afternoon
            """),
        "number": list(
            """
            two, three, four, five, six, seven, ten, twelve, fifteen, twenty, thirty, fifty, a hundred, two hundred, \
            twenty five, one thousand, five hundred, sixty
            """),
        "place": list(
            """
            the kitchen, the office, london, paris, berlin, the meeting room, the station, the airport, boston, the lobby, \
            the bedroom, the living room, the second floor, the hospital, chicago, the garage, new york, the garden
            """),
        "thing": list(
            """
            the report, the invoice, the contract, the email, the new draft, the red folder, the blue file, the keys, \
            the slides, the budget, the old printer, the lamp, the summary, the photos, the letter, the lights, the heating, \
            the first chapter, the last page, the left window, the right window, the music, the volume, the camera
            """),
        "verb": list("send, forward, show, give, bring, mail, hand"),
        "action": list(
            """
            open, close, print, delete, save, move, copy, rename, check, fix, update, remove, share, upload, turn on, \
            turn off, turn up, lock, start, stop
            """),
        "quality": list(
            """
            red, blue, green, large, small, early, late, cheap, expensive, good, better, broken, ready, open, closed, full, \
            empty, higher, lower, urgent, normal, mild, severe, stable
            """),
        "part": list(
            """
            the left knee, the right knee, the lower back, his shoulder, her wrist, the chest, the right ear, the left hand, \
            the abdomen, the neck
            """),
        "unit": list(
            "minutes, hours, days, weeks, milligrams, dollars, euros, people, pages, miles, boxes, percent"),
        "food": list(
            "rice, pizza, coffee, tea, milk, bread, soup, apples, a salad, eggs, orange juice, chicken"),
        "side": list("left, right"),
        "colour": list("red, blue, green, yellow, black, white, orange, purple"),
        "room": list(
            "kitchen, bedroom, bathroom, living room, basement, garage, garden, hallway, office, attic"),
        "city": list(
            "london, paris, berlin, boston, chicago, lisbon, vienna, dublin, rome, denver, dallas, tokyo, sydney, oslo"
        ),
        "person": list(
            """
            mom, dad, grandma, tom, tim, alice, julia, sarah, laura, steve, stephanie, emma, oliver, \
            peter, mark, anna, max, \
            daniel, sophie, my wife, my brother, my boss, miss green, doctor miller, mister brown, doctor \
            lee, mrs smith
            """),
        "meal": list("breakfast, lunch, dinner"),
        "drink": list("coffee, tea, juice, water, beer, wine, milk"),
        "ordinal": list("first, second, third, fourth, last, next"),
        "device": list(
            "light, lamp, fan, heater, radio, television, oven, dishwasher, thermostat, alarm, door, washing machine"
        ),
        "document": list(
            "email, message, letter, note, report, invoice, contract, file, document, page, paragraph"),
        "media": list("song, album, playlist, podcast, movie, episode, video, book"),
        "genre": list("jazz, rock, classical, country, relaxing, loud, quiet, new"),
        "shop": list(
            "pharmacy, bakery, bank, library, museum, station, airport, hospital, post office, supermarket, gym, cinema"
        ),
        "code": list(
            "function, variable, class, method, loop, branch, test, line, file, comment, module, parameter"),
        "adjective": list(
            "new, old, first, last, long, short, quarterly, final, next, previous, dark, light, big, small"),
        "team": list("sales, support, design, marketing, finance, legal"),
        "change": list("up, down"),
        "period": list("morning, evening, afternoon, week, month, day, weekend"),
    ]
}
