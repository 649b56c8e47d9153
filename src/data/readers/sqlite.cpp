// SPDX-License-Identifier: Apache-2.0
#include "data/readers/database.hpp"

#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <sqlite3.h>

namespace hri::data {
namespace {

struct CloseDatabase {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
};

struct CloseStatement {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

std::string upper(std::string text) {
    for (char& c : text) {
        c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    return text;
}

class Sqlite : public TableSource {
  public:
    explicit Sqlite(const std::filesystem::path& path) : path_(path.string()) {
        sqlite3* opened = nullptr;
        const int code = sqlite3_open_v2(path_.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
        database_.reset(opened);
        if (code != SQLITE_OK) {
            fail();
        }
        sqlite3_busy_timeout(opened, 5000);
        sqlite3_progress_handler(opened, kStepsPerCall, count_steps, this);
    }

    std::vector<TableSchema> tables() override {
        std::vector<TableSchema> result;
        query(
            "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT "
            "LIKE 'sqlite!_%' ESCAPE '!' AND NOT (type = 'view' AND sql LIKE "
            "'%) AS -- written by hri%') ORDER BY name",
            [&](const Cells& row) {
                result.push_back({row[0].value_or(""), {}, row[1] == "table"});
            });
        for (TableSchema& table : result) {
            query("PRAGMA table_xinfo(" + sql_identifier(table.name) + ")", [&](const Cells& row) {
                if (row[6] == "1") {
                    return;  // a hidden column of a virtual table
                }
                const std::string type = upper(row[2].value_or(""));
                table.columns.push_back({row[1].value_or(""), row[5].value_or("0") != "0",
                                         type.find("INT") != std::string::npos,
                                         type.find("BLOB") != std::string::npos});
            });
            std::map<std::string, CompositeReference> keys;  // by their numbers
            query("PRAGMA foreign_key_list(" + sql_identifier(table.name) + ")",
                  [&](const Cells& row) {
                      CompositeReference& key = keys[row[0].value_or("")];
                      key.table = row[2].value_or("");
                      key.columns.push_back(row[3].value_or(""));
                      if (row[4]) {
                          key.keys.push_back(*row[4]);
                      }
                  });
            for (auto& [number, key] : keys) {
                add_reference(table, std::move(key));
            }
        }
        return result;
    }

    void rows(const std::string& table, const std::vector<std::string>& columns,
              const UseRow& use) override {
        std::string text = "SELECT ";
        for (std::size_t i = 0; i < columns.size(); ++i) {
            text += (i == 0 ? "" : ", ") + sql_identifier(columns[i]);
        }
        query(text + (columns.empty() ? "1" : "") + " FROM " + sql_identifier(table), use);
    }

    void query(const std::string& text, const UseRow& use) override {
        sqlite3_stmt* prepared = nullptr;
        const int code = sqlite3_prepare_v2(database_.get(), text.c_str(), -1, &prepared, nullptr);
        const std::unique_ptr<sqlite3_stmt, CloseStatement> statement(prepared);
        if (code != SQLITE_OK || prepared == nullptr) {
            fail();
        }
        each_row(prepared, use);
    }

  private:
    /// Not 0: SQLite gives up.
    static int count_steps(void* self) {
        return ++static_cast<Sqlite*>(self)->calls_ > kMaxCalls ? 1 : 0;
    }

    [[noreturn]] void fail() const {
        const int code = database_ ? sqlite3_errcode(database_.get()) : SQLITE_NOMEM;
        if (code == SQLITE_INTERRUPT) {
            throw Error("SQLite: a view works without end", {path_},
                        "leave it out with a mapping, or make a table of it");
        }
        const std::string message = database_ ? sqlite3_errmsg(database_.get()) : "out of memory";
        throw Error("SQLite: " + message, {path_},
                    code == SQLITE_CANTOPEN ? "a database in WAL mode needs a folder that can be "
                                              "written: copy the file, with its -wal, elsewhere"
                                            : "is this a whole SQLite file?");
    }

    void each_row(sqlite3_stmt* prepared, const UseRow& use) const {
        Cells cells;
        for (std::int64_t rows = 0;; ++rows) {
            calls_ = 0;
            if (rows > kMaxRows) {
                throw Error(fmt::format("SQLite: more than {} rows", kMaxRows), {path_},
                            "a view may have no end: leave it out with a mapping");
            }
            const int step = sqlite3_step(prepared);
            if (step == SQLITE_DONE) {
                return;
            }
            if (step != SQLITE_ROW) {
                fail();
            }
            cells.clear();
            for (int i = 0; i < sqlite3_column_count(prepared); ++i) {
                const unsigned char* bytes = sqlite3_column_text(prepared, i);
                if (bytes == nullptr) {
                    cells.emplace_back(std::nullopt);
                } else {
                    cells.emplace_back(
                        std::string(reinterpret_cast<const char*>(bytes),
                                    static_cast<std::size_t>(sqlite3_column_bytes(prepared, i))));
                }
            }
            use(cells);
        }
    }

    static constexpr int kStepsPerCall = 100'000;  // of SQLite's virtual machine
    static constexpr int kMaxCalls = 5'000;        // between two rows: some 5 s
    static constexpr std::int64_t kMaxRows = 20'000'000;

    std::string path_;
    mutable int calls_ = 0;
    std::unique_ptr<sqlite3, CloseDatabase> database_;
};

}  // namespace

std::unique_ptr<TableSource> open_sqlite(const std::filesystem::path& path) {
    return std::make_unique<Sqlite>(path);
}

}  // namespace hri::data
