/// The sentences that corrections are made of, and fluent ones that only look as if they had some.
extension MadeCorrections {
    static let templates: [String] = """
        {number}
        {time}
        {day}
        {number} {unit}
        we meet on {weekday}
        the appointment on {weekday} at {time}
        {verb} {thing} to {name}
        {verb} {thing} to {name} by {day}
        please {verb} {thing} to {name} at {time}
        set an alarm for {time}
        set an alarm for {time} on {day}
        set a timer for {number} {unit}
        {action} {thing} in {place}
        {action} {thing}
        remind me to call {name} on {day}
        remind me to {action} {thing} at {time}
        i need {number} {unit} for {thing}
        we need to {action} {thing} before {day}
        the meeting is on {day} at {time}
        the meeting with {name} was moved to {day}
        book a table for {number} people at {time}
        book a flight from {place} to {place} on {day}
        add {food} to the shopping list
        add {food} and {food} to the shopping list
        put {food} on the list
        i would like {food} with {food}
        the patient has pain in {part}
        the patient reports {quality} pain in {part} for {number} {unit}
        she takes {number} {unit} of it every day
        he was seen on {day} by {name}
        there is some swelling of {part}
        {name} said that {thing} was {quality}
        {name} thinks {thing} is {quality}
        i think that {thing} is {quality}
        i talked to {name} about {thing}
        we will meet in {place} at {time}
        we are going to {place} with {name}
        can you {action} {thing}
        can you {verb} {thing} to {name}
        could you tell {name} that we are in {place}
        what is the weather like in {place} on {day}
        how long does it take to {place}
        when does the train to {place} leave
        where did {name} put {thing}
        who is going to {action} {thing}
        is {thing} still in {place}
        does {name} know that it is {quality}
        it costs {number} dollars
        the total was {number} {unit}
        the rate went up by {number} percent
        the door should be {quality}
        make {thing} {quality}
        play something {quality} in {place}
        turn the heating to {number} degrees
        turn on the lights in {place}
        this commit makes {thing} {quality}
        the function returns {number} and not an error
        let's {action} {thing} on {day} and then {action} {thing}
        if {name} calls tell him that i am in {place}
        my flight leaves from {place} at {time}
        dear {name} thank you for {thing}
        they were {quality} and {quality} at {time}
        i went to {place} because {name} was {quality}
        on {day} we {action} {thing}
        in {place} it was {quality} until {time}
        turn {change} the {device} in the {room}
        turn on the {device} in the {room}
        set the {device} in the {room} to {number}
        paint the {room} {colour}
        make the {device} {colour}
        the patient has pain in the {side} knee
        the wound on the {side} arm is {quality}
        turn {side} at the {shop}
        what is the weather like in {city} this {period}
        what time is it in {city}
        book a flight to {city} for {person}
        how far is it to {city}
        send a message to {person} that i am late
        call {person} and ask about {meal}
        text {person}
        ask {person} to call back
        tell {person} that {meal} is ready
        invite {person} to {meal} on {weekday}
        i would like a {drink} with {food}
        order a {drink} and {food} for {person}
        delete the {ordinal} item from the list
        read the {ordinal} {document}
        open the {adjective} {document}
        forward this {document} to the {team} team
        print the {adjective} {document} for {person}
        play the {adjective} {media}
        play some {genre} music in the {room}
        find a {genre} {media} for the {period}
        take me to the {shop}
        where is the nearest {shop}
        navigate to the {shop} in {city}
        rename the {code} to counter
        insert a {adjective} {code} after this {code}
        delete the {adjective} {code}
        move the {code} into the {adjective} {code}
        wake me up at {time} on {weekday}
        start a {number} minute timer
        cancel my {time} appointment with {person}
        schedule a {adjective} meeting with the {team} team at {time}
        pick up {person} from the {shop} at {time}
        switch to the {adjective} theme
        every {period} i take {number} {unit}
        """.split(separator: "\n").map(String.init)

    /// The words of a correction if nothing is corrected.
    static let fluent: [String] = """
        no i don't think so
        no that is not what i wanted
        no one was in {place} at {time}
        no one came
        {action} {thing} and wait for {name}
        {action} {thing} and wait until it is {quality}
        i would rather wait until {time}
        i would rather {action} {thing} than wait
        i met {name} actually and we had {food}
        we said so i mean it was {quality}
        but rather than stop we go on
        rather than {action} {thing} we {action} it
        he would come but no one was there
        they had no {food} or {food}
        they had no time and no money
        it has no effect on {thing}
        i have no idea
        we had no choice but to wait
        sorry to keep you waiting
        i feel sorry for {name}
        the wait was long
        wait and see
        that is what {name} actually said
        not now but on {day}
        {name} said wait a moment
        we will wait here or in {place}
        on {day} or {day} at {time}
        there is no reason to {action} {thing}
        there was no sign of swelling in {part}
        the patient has no pain in {part}
        she has no fever and no cough
        she said no to {name}
        he said no and left
        yes or no
        is it {quality} or not
        do you want {food} or {food}
        would you like {food} or {food} or {food}
        we can meet on {day} or {day}
        on {weekday} or {weekday}
        {weekday} or {weekday}
        there is no meeting on {weekday} and no call on {weekday}
        it is open {weekday} to {weekday}
        {number} or {number}
        send it to {name} or {name}
        {number} or {number} {unit}
        it takes {number} or {number} {unit}
        i am sorry to hear that
        i'm sorry i am late
        sorry i am late
        sorry for the delay
        i am so sorry about {thing}
        {name} was sorry that {thing} was {quality}
        tell {name} that i am sorry
        it is actually {quality}
        it was actually quite {quality}
        {thing} is actually in {place}
        i actually like {thing}
        actually i like it
        did you actually {action} {thing}
        {name} actually came on {day}
        i would rather go to {place}
        we would rather have {food} than {food}
        it is rather {quality}
        they took {food} instead of {food}
        we went to {place} instead
        i will have {food} instead
        use {number} instead of {number}
        please wait for {name}
        wait for me in {place}
        wait until {time}
        i can't wait to see {name}
        we had to wait in {place} for {number} {unit}
        i mean it
        what do you mean by that
        that is what i mean
        i meant to call {name}
        i meant what i said
        does that mean {thing} is {quality}
        make that call on {day}
        make it {quality}
        make it {number} {unit}
        please make that {quality}
        tell me about {thing}
        tell me what {name} said
        please tell me when {thing} is {quality}
        and tell me if it is {quality}
        i guess {thing} is {quality}
        i think {name} is right
        i think so
        i think we should {action} {thing}
        he looks like {name}
        it looks like rain
        i like {food} and {food}
        i would like to {action} {thing}
        a place like {place}
        well that was {quality}
        as well as {thing}
        it went very well
        but {name} was not there
        not that i know of
        not that it matters
        it is {quality} but {quality}
        {name} came but {name} did not
        not {name} but {name}
        maybe we should {action} {thing}
        maybe {name} knows
        oh i see
        oh that is nice
        let me say that i am grateful
        let's say it takes {number} {unit}
        what about {day}
        what about {thing}
        please correct {thing}
        the correction is in {thing}
        i want to know what {name} said
        i want to know if it is {quality}
        let me ask {name} about it
        hold on to {thing}
        excuse me where is {place}
        never mind what {name} said
        it is my bad knee
        i was wrong about {thing}
        you know what i want
        do you know {name}
        as you know we moved to {place}
        forget that meeting
        delete that file
        scratch that itch
        she knows no other way
        no matter what {name} says
        no problem
        no more than {number} {unit}
        it was {quality} no doubt
        yeah that works for me
        yeah i think so
        yes please {action} {thing}
        thank you and sorry again
        he is no {name}
        it was either {name} or {name}
        no {name} did not come
        no {thing} is not {quality}
        wait {name} is coming
        sorry {name} is not here
        sorry the meeting is on {day}
        actually the meeting is on {day}
        whether or not it is {quality}
        more or less {number} {unit}
        {name} or rather his office
        this one is {quality} and that one is {quality}
        from {day} to {day} and from {time} to {time}
        i said that i would {action} {thing} and i did
        we told them that we had {action} it
        what we need is what we have
        who did it and who saw it
        where we are and where we go
        when it rains and when it snows
        the more we {action} the more we need
        i know what it is and how it works
        to {name} from {name}
        in {place} in {day}
        he is in and she is out
        the best of the best
        it is what it is
        one of the first and one of the best
        the left and the right
        a man and a woman
        to be or not to be
        i asked what was in the box and what was not
        that is how we do it and that is why it works
        if it is {quality} we stay and if it is {quality} we go
        at the {shop} no one was there
        in {city} no trains run on {weekday}
        at the meeting no decision was made
        in the {room} no {device} works
        they found no {document} in the {room}
        we left no message for {person}
        the {shop} in {city} actually has {food}
        we were in {city} i mean it was {quality}
        i called {person} sorry i forgot
        the {room} is {colour} or {colour}
        is the {device} {colour} or {colour}
        turn {side} and then {side}
        we need {drink} and {drink}
        a {drink} or a {drink} for {person}
        the {colour} {device} and the {colour} {device}
        {person} and {person} have {meal}
        from {city} to {city}
        the {ordinal} and the {ordinal} {document}
        we met {person} in {city} sorry about that
        she went to {city} i mean she lives there
        put the {document} in the {room} i mean it
        wait for {person} at the {shop}
        i would actually like a {drink}
        i would rather have a {drink} than a {drink}
        call me at the {shop} wait there
        in the {room} wait for me
        i have no {document} from {person}
        is it on the {side} no it is not
        did you see {person} no i did not
        are you in {city} no
        are you at the {shop} yes
        it is in the {room} no problem
        put it on the {side} no matter what {person} says
        we are in the {room} sorry we are late
        the {drink} is {quality} sorry
        read the {ordinal} {document} actually read all of them
        play the {media} actually i like it
        by the {period} or rather soon
        """.split(separator: "\n").map(String.init)

    static let cues = list(
        """
        no, no wait, wait no, no sorry, sorry, i mean, no i mean, sorry i mean, i meant, or rather, rather, actually, \
        no actually, or actually, wait, oh wait, oh no, oh sorry, make that, no make that, scratch that, scratch that i mean, \
        uh no, um no, uh i mean, um i mean, uh sorry, er no, no no, no no no, or no, uh actually, uh make that, let's say, \
        correction, uh, um, well actually, oops, oops i mean, excuse me, i'm sorry, my mistake, uh wait, hold on, no uh, \
        not that, no rather, uh rather
        """)

    static let restarts = list(
        """
        no, no wait, wait, actually, scratch that, no scratch that, uh, um, never mind, sorry, i mean, uh no, actually no, \
        no actually, oh wait, uh actually, well, hold on, strike that, forget that, let me rephrase, um no, er, oh no
        """)
}
