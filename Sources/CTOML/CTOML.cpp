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
#include <toml++/toml.h>

#include "CTOML.h"

#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

void add(std::vector<ctoml_node> &nodes, const toml::node &node, const toml::key *key) {
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
        for (const auto &[name, value] : *table) add(nodes, value, &name);
    } else if (const auto *array = node.as_array()) {
        entry.kind = CTOML_ARRAY;
        entry.children = array->size();
        nodes.push_back(entry);
        for (const auto &value : *array) add(nodes, value, nullptr);
    } else {
        set_text(entry, node);
        nodes.push_back(entry);
    }
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
    toml::source_position place = {1, 1};
    for (const char byte : text.substr(0, shorter)) {
        const bool continues = (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
        if (byte == '\n') {
            place = {place.line + 1, 1};
        } else if (!continues) {
            place.column += 1;
        }
    }
    return place;
}

void parse(ctoml_document &document, std::string_view text) {
    try {
        document.table = toml::parse(text);
        add(document.nodes, document.table, nullptr);
    } catch (const toml::parse_error &error) {
        document.error = std::string(error.description());
        document.error_place = error.source().begin;
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
