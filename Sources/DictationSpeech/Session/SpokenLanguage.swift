/// The language that is spoken, as settings and recognizers name it.
public enum SpokenLanguage {
    /// In the place of a locale: the model finds the language out.
    public static let found = "auto"
}
