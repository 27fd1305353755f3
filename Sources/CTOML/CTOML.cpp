namespace {

// Thrown when an assertion of toml++ fails, which would end the process: "[[[" and "[.a]" have no name where it looks for
// one.
struct unexpected {};

}  // namespace

#undef NDEBUG
#define TOML_ASSERT(what) static_cast<void>((what) ? 0 : throw unexpected())
// Header-only, so that no library is loaded at the start of programs that read no settings.
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
// The parser calls itself for each list or table within another.
#define TOML_MAX_NESTED_VALUES 16
#include <toml++/toml.h>

#include "CTOML.h"

#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A name of so many parts ("a.b.c" has three) makes as many tables within each other, and toml++ frees them by calling itself: with
// 50,000 of them the stack is full. No setting has more than two.
constexpr size_t most_parts = 16;

// Tables and lists within each other, those of names included. Each costs stack here and in the reader.
constexpr size_t most_levels = 64;

struct ctoml_document {
    toml::table table;
    std::optional<std::string> error;
    toml::source_position error_place = {1, 1};
    std::vector<ctoml_node> nodes;
};

namespace {

void set_text(ctoml_node &entry, const toml::node &node) {
    if (const auto *value = node.as_string()) {
        entry.kind = CTOML_STRING;
        entry.text = value->get().data();
        entry.text_length = value->get().size();
    } else if (const auto *value = node.as_integer()) {
        entry.kind = CTOML_INTEGER;
        entry.integer = value->get();
    } else if (const auto *value = node.as_floating_point()) {
        entry.kind = CTOML_FLOAT;
        entry.real = value->get();
    } else if (const auto *value = node.as_boolean()) {
        entry.kind = CTOML_BOOLEAN;
        entry.boolean = value->get();
    } else {
        entry.kind = CTOML_DATE;
    }
}

// Thrown for what is within too many tables and lists.
struct too_deep {
    toml::source_position place;
};

void add(
    std::vector<ctoml_node> &nodes, const toml::node &node, const toml::key *key, size_t levels_left = most_levels) {
    if (levels_left == 0) throw too_deep{node.source().begin};
    ctoml_node entry = {};
    entry.line = node.source().begin.line;
    entry.column = node.source().begin.column;
    if (key) {
        entry.key = key->str().data();
        entry.key_length = key->str().size();
        entry.key_line = key->source().begin.line;
        entry.key_column = key->source().begin.column;
    }
    if (const auto *table = node.as_table()) {
        entry.kind = CTOML_TABLE;
        entry.children = table->size();
        nodes.push_back(entry);
        for (const auto &[name, value] : *table) add(nodes, value, &name, levels_left - 1);
    } else if (const auto *array = node.as_array()) {
        entry.kind = CTOML_ARRAY;
        entry.children = array->size();
        nodes.push_back(entry);
        for (const auto &value : *array) add(nodes, value, nullptr, levels_left - 1);
    } else {
        set_text(entry, node);
        nodes.push_back(entry);
    }
}

// The place behind a beginning of a text.
toml::source_position place_behind(std::string_view beginning) {
    toml::source_position place = {1, 1};
    for (const char byte : beginning) {
        const bool continues = (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
        if (byte == '\n') {
            place = {place.line + 1, 1};
        } else if (!continues) {
            place.column += 1;
        }
    }
    return place;
}

// Behind a string that begins at `start`; the end of the line, or of the text, where it has no end.
size_t end_of_string(std::string_view text, size_t start) {
    const char quote = text[start];
    const bool has_escapes = quote == '"';
    const std::string_view three = has_escapes ? "\"\"\"" : "'''";
    const bool has_lines = text.substr(start, 3) == three;
    size_t at = start + (has_lines ? 3 : 1);
    while (at < text.size()) {
        if (has_escapes && text[at] == '\\') {
            at += 2;
        } else if (has_lines && text.substr(at, 3) == three) {
            at += 3;
            // One or two more belong to the text.
            for (int more = 0; more < 2 && at < text.size() && text[at] == quote; more++) at++;
            return at;
        } else if (!has_lines && (text[at] == quote || text[at] == '\n')) {
            return text[at] == quote ? at + 1 : at;
        } else {
            at++;
        }
    }
    return text.size();
}

// The first place at which a name has too many parts. Outside of strings and comments, so many points without any of the
// signs that end a name can be nothing else.
std::optional<size_t> place_of_long_name(std::string_view text) {
    size_t parts = 1;
    size_t at = 0;
    while (at < text.size()) {
        switch (text[at]) {
        case '#':
            at = std::min(text.find('\n', at), text.size());
            continue;
        case '"':
        case '\'':
            at = end_of_string(text, at);
            continue;
        case '.':
            parts += 1;
            if (parts > most_parts) return at + 1;
            break;
        case '\n':
        case '=':
        case ',':
        case '[':
        case ']':
        case '{':
        case '}':
            parts = 1;
            break;
        default:
            break;
        }
        at++;
    }
    return std::nullopt;
}

bool is_unexpected(std::string_view text) {
    try {
        static_cast<void>(toml::parse(text));
    } catch (const unexpected &) {
        return true;
    } catch (const toml::parse_error &) {
    }
    return false;
}

// Behind the shortest beginning of the text that has it.
toml::source_position place_of_unexpected(std::string_view text) {
    size_t shorter = 0;
    size_t longer = text.size();
    while (longer - shorter > 1) {
        const size_t middle = shorter + (longer - shorter) / 2;
        (is_unexpected(text.substr(0, middle)) ? longer : shorter) = middle;
    }
    return place_behind(text.substr(0, shorter));
}

void parse(ctoml_document &document, std::string_view text) {
    if (const auto place = place_of_long_name(text)) {
        document.error = "a name has more than 16 parts";
        document.error_place = place_behind(text.substr(0, *place));
        return;
    }
    try {
        document.table = toml::parse(text);
        add(document.nodes, document.table, nullptr);
    } catch (const toml::parse_error &error) {
        document.error = std::string(error.description());
        document.error_place = error.source().begin;
    } catch (const too_deep &error) {
        document.nodes.clear();
        document.error = "it is within more than 64 sections and lists";
        document.error_place = error.place;
    } catch (const unexpected &) {
        document.error = "Unexpected character here";
        document.error_place = place_of_unexpected(text);
    }
}

}  // namespace

extern "C" {

ctoml_document *ctoml_parse(const char *text, size_t length) {
    // No exception may leave C++; the only other one that there can be is a lack of memory.
    try {
        auto document = std::make_unique<ctoml_document>();
        parse(*document, std::string_view(text, length));
        return document.release();
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

void ctoml_free(ctoml_document *document) { delete document; }

const char *ctoml_error(const ctoml_document *document, uint32_t *line, uint32_t *column) {
    if (!document->error) return nullptr;
    *line = document->error_place.line;
    *column = document->error_place.column;
    return document->error->c_str();
}

const ctoml_node *ctoml_nodes(const ctoml_document *document, size_t *count) {
    *count = document->nodes.size();
    return document->nodes.data();
}
}
