/// What can be denied: "the nurse found no pulse". A "no" behind one of these verbs takes nothing back.
enum EnglishDenials {
    /// Common verbs that have an object, in all their forms.
    static let verbs = Set(
        list.split(whereSeparator: \.isWhitespace).map(String.init))

    private static let list = """
        find finds found finding take takes took taken taking make makes made making see sees saw seen seeing
        leave leaves left leaving get gets got gotten getting give gives gave given giving send sends sent sending
        want wants wanted need needs needed show shows showed shown showing have has had having do does did done doing
        report reports reported reporting list lists listed mention mentions mentioned mentioning
        contain contains contained containing include includes included including
        require requires required requiring charge charges charged charging use uses used using
        receive receives received receiving accept accepts accepted accepting
        cause causes caused causing produce produces produced producing create creates created creating
        feel feels felt feeling hear hears heard hearing know knows knew known notice notices noticed noticing
        offer offers offered offering provide provides provided providing pay pays paid paying
        eat eats ate eaten eating drink drinks drank drinking wear wears wore wearing
        say says said saying write writes wrote written writing tell tells told telling
        gain gains gained gaining lose loses lost losing add adds added adding earn earns earned earning
        hold holds held holding keep keeps kept keeping play plays played playing put puts putting
        serve serves served serving sell sells sold selling buy buys bought buying own owns owned
        allow allows allowed allowing bring brings brought bringing carry carries carried carrying
        deny denies denied denying detect detects detected detecting observe observes observed observing
        expect expects expected expecting express expresses expressed expressing
        face faces faced fear fears feared follow follows followed grant grants granted
        identify identifies identified indicate indicates indicated involve involves involved meet meets met
        obtain obtains obtained pose poses posed possess possesses possessed present presents presented
        prove proves proved proven reach reaches reached reveal reveals revealed share shares shared
        spend spends spent suffer suffers suffered support supports supported teach teaches taught
        tolerate tolerates tolerated win wins won yield yields yielded return returns returned raise raises raised
        publish publishes published note notes noted prescribe prescribes prescribed order orders ordered
        """
}
