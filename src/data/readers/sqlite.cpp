// SPDX-License-Identifier: Apache-2.0
#include "data/readers/database.hpp"

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

class Sqlite : public Database {
  public:
    explicit Sqlite(const std::filesystem::path& path) : path_(path.string()) {
        sqlite3* opened = nullptr;
        const int code = sqlite3_open_v2(path_.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
        database_.reset(opened);
        if (code != SQLITE_OK) {
            fail();
        }
        sqlite3_busy_timeout(opened, 5000);
    }

    std::vector<TableSchema> tables() override {
        std::vector<TableSchema> result;
        query(
            "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT "
            "LIKE "
            "'sqlite!_%' ESCAPE '!' ORDER BY name",
            [&](const Cells& row) {
                result.push_back({row[0].value_or(""), {}, row[1] == "table"});
            });
        for (TableSchema& table : result) {
            query("PRAGMA table_info(" + sql_identifier(table.name) + ")", [&](const Cells& row) {
                const std::string type = upper(row[2].value_or(""));
                table.columns.push_back({row[1].value_or(""), row[5].value_or("0") != "0",
                                         type.find("INT") != std::string::npos,
                                         type.find("BLOB") != std::string::npos});
            });
            query("PRAGMA foreign_key_list(" + sql_identifier(table.name) + ")",
                  [&](const Cells& row) {
                      for (ColumnSchema& column : table.columns) {
                          if (column.name == row[3].value_or("")) {
                              column.references = row[2].value_or("");
                              column.references_column = row[4].value_or("");
                          }
                      }
                  });
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
    [[noreturn]] void fail() const {
        const std::string message = database_ ? sqlite3_errmsg(database_.get()) : "out of memory";
        throw Error("SQLite: " + message, {path_}, "is this a whole SQLite file?");
    }

    void each_row(sqlite3_stmt* prepared, const UseRow& use) const {
        Cells cells;
        while (true) {
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

    std::string path_;
    std::unique_ptr<sqlite3, CloseDatabase> database_;
};

}  // namespace

std::unique_ptr<Database> open_sqlite(const std::filesystem::path& path) {
    return std::make_unique<Sqlite>(path);
}

}  // namespace hri::data
