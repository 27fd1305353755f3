/// Words of which one is often said for another, and then taken back: "in the left, no, right knee".
enum EnglishSiblings {
    static let sets: [Set<String>] = [
        "left right", "top bottom", "front back", "upper lower", "light dark", "hot cold", "big small large",
        "north south east west", "northern southern eastern western",
        "red blue green yellow black white orange purple pink brown grey gray",
        "kitchen bedroom bathroom basement garage garden hallway office attic study cellar balcony",
        "breakfast lunch dinner supper brunch", "spring summer autumn fall winter",
        "first second third fourth fifth sixth last next previous",
        "today tomorrow yesterday tonight", "morning afternoon evening night noon midnight",
        "seconds minutes hours days weeks months years",
        "milligrams grams kilograms millilitres milliliters liters litres",
        "coffee tea milk juice water beer wine",
        "mother father brother sister son daughter aunt uncle wife husband",
        "dog cat", "chicken beef pork fish", "pizza pasta burgers sushi", "song album playlist podcast",
        "email text message letter",
        "emails texts messages letters", "train bus plane taxi", "morning evening",
        "monthly weekly daily yearly",
        "spotify youtube netflix", "dogs cats horses birds", "dollars euros pounds", "door window",
        "tv radio", "bank pharmacy bakery library museum hospital supermarket airport",
        "english french spanish german italian portuguese chinese japanese",
        "increase decrease", "higher lower", "up down", "on off", "open close", "start stop",
    ].map { NumberWords.list($0) }
}
