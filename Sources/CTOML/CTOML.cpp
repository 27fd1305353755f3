// Header-only, so that no library is loaded at the start of programs that read no settings.
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "CTOML.h"

#include <new>
#include <string>
#include <vector>

struct ctoml_document {
    toml::parse_result result;
    std::string error;
    std::vector<ctoml_node> nodes;

    explicit ctoml_document(toml::parse_result &&parsed) : result(std::move(parsed)) {}
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

}  // namespace

extern "C" {

ctoml_document *ctoml_parse(const char *text, size_t length) {
    // No exception may leave C++; the only one that there can be is a lack of memory.
    try {
        auto *document = new ctoml_document(toml::parse(std::string_view(text, length)));
        if (document->result.failed()) {
            document->error = std::string(document->result.error().description());
        } else {
            add(document->nodes, document->result.table(), nullptr);
        }
        return document;
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

void ctoml_free(ctoml_document *document) { delete document; }

const char *ctoml_error(const ctoml_document *document, uint32_t *line, uint32_t *column) {
    if (!document->result.failed()) return nullptr;
    const auto &where = document->result.error().source().begin;
    *line = where.line;
    *column = where.column;
    return document->error.c_str();
}

const ctoml_node *ctoml_nodes(const ctoml_document *document, size_t *count) {
    *count = document->nodes.size();
    return document->nodes.data();
}
}
