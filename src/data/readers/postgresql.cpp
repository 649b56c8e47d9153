// SPDX-License-Identifier: Apache-2.0
#include "data/readers/database.hpp"

#ifdef HRI_POSTGRESQL
#include <libpq-fe.h>
#include <map>
#endif

namespace hri::data {

#ifdef HRI_POSTGRESQL
namespace {

struct Disconnect {
    void operator()(PGconn* connection) const { PQfinish(connection); }
};

struct Clear {
    void operator()(PGresult* result) const { PQclear(result); }
};

class Postgresql : public TableSource {
  public:
    explicit Postgresql(const std::string& connection)
        : name_("postgresql"), connection_(connected(connection)) {
        if (PQstatus(connection_.get()) != CONNECTION_OK) {
            fail("is the server running, and the connection right?");
        }
        PQsetClientEncoding(connection_.get(), "UTF8");
        query("SET default_transaction_read_only = on", nullptr);
        query("SET statement_timeout = '20min'", nullptr);  // a view may have no end
    }

    std::vector<TableSchema> tables() override {
        std::vector<TableSchema> result;
        const auto table = [&](const std::string& name) -> TableSchema& {
            if (result.empty() || result.back().name != name) {
                result.push_back({name, {}, false});
            }
            return result.back();
        };
        query(
            "SELECT c.table_name, c.column_name, c.data_type, EXISTS (SELECT 1 FROM "
            "information_schema.key_column_usage k JOIN information_schema.table_constraints t "
            "USING (constraint_schema, constraint_name) WHERE t.constraint_type = 'PRIMARY KEY' "
            "AND k.table_schema = c.table_schema AND k.table_name = c.table_name AND "
            "k.column_name = c.column_name) FROM information_schema.columns c WHERE "
            "c.table_schema = current_schema() AND COALESCE(obj_description(to_regclass("
            "quote_ident(c.table_schema) || '.' || quote_ident(c.table_name)), 'pg_class'), '') "
            "<> 'written by hri' ORDER BY c.table_name COLLATE \"C\", "
            "c.ordinal_position",
            [&](const Cells& row) {
                table(*row[0]).columns.push_back(
                    {*row[1], row[3] == "t",
                     row[2]->find("int") == 0 || *row[2] == "smallint" || *row[2] == "bigint",
                     *row[2] == "bytea"});
            });
        std::map<std::pair<std::string, std::string>, CompositeReference> keys;  // [table, name]
        query(
            "SELECT s.relname, c.conname, sa.attname, t.relname, ta.attname FROM pg_constraint c "
            "CROSS JOIN LATERAL generate_subscripts(c.conkey, 1) AS i(i) JOIN "
            "pg_class s ON s.oid = c.conrelid JOIN pg_class t ON t.oid = c.confrelid JOIN "
            "pg_attribute sa ON sa.attrelid = s.oid AND sa.attnum = c.conkey[i.i] JOIN "
            "pg_attribute ta ON ta.attrelid = t.oid AND ta.attnum = c.confkey[i.i] WHERE c.contype "
            "= 'f' AND s.relnamespace = to_regnamespace(quote_ident(current_schema())) "
            "ORDER BY 1, 2, i.i",
            [&](const Cells& row) {
                CompositeReference& key = keys[{*row[0], *row[1]}];
                key.table = *row[3];
                key.columns.push_back(*row[2]);
                key.keys.push_back(*row[4]);
            });
        for (auto& [from, key] : keys) {
            for (TableSchema& schema : result) {
                if (schema.name == from.first) {
                    add_reference(schema, std::move(key));
                    break;  // names of tables are different
                }
            }
        }
        return result;
    }

    void rows(const std::string& table, const std::vector<std::string>& columns,
              const UseRow& use) override {
        std::string text = "SELECT ";
        for (std::size_t i = 0; i < columns.size(); ++i) {
            text += (i == 0 ? "" : ", ") + quoted(columns[i]) + "::text";
        }
        query(text + (columns.empty() ? "1" : "") + " FROM " + quoted(table), use);
    }

    bool is_postgresql() const override { return true; }

    /// Uses the protocol that takes a single statement.
    void query(const std::string& text, const UseRow& use) override {
        const std::unique_ptr<PGresult, Clear> result(PQexecParams(
            connection_.get(), text.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 0));
        const ExecStatusType status = PQresultStatus(result.get());
        if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
            fail("");
        }
        each_row(result.get(), use);
    }

  private:
    struct FreeOptions {
        void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
    };

    /// What libpq says of a connection that it cannot read quotes parts of the password: this text
    /// does not.
    static PGconn* connected(const std::string& connection) {
        const std::unique_ptr<PQconninfoOption, FreeOptions> options(
            PQconninfoParse(connection.c_str(), nullptr));
        bool is_right = options != nullptr;
        for (const PQconninfoOption* o = options.get(); o != nullptr && o->keyword != nullptr;
             ++o) {
            const std::string_view key = o->keyword;
            const std::string_view value = o->val == nullptr ? "" : o->val;
            is_right = is_right && !(key == "host" && value.find('@') != value.npos) &&
                       !(key == "port" && value.find_first_not_of("0123456789,") != value.npos);
        }
        if (!is_right) {
            throw Error("PostgreSQL: the connection cannot be read", {"postgresql"},
                        "write postgresql://user@host:port/database, with special characters as "
                        "%40; a password is best kept in ~/.pgpass or PGPASSWORD");
        }
        return PQconnectdb(connection.c_str());
    }

    [[noreturn]] void fail(const std::string& hint) const {
        std::string message = PQerrorMessage(connection_.get());
        while (message.ends_with('\n')) {
            message.pop_back();
        }
        throw Error("PostgreSQL: " + message, {name_}, hint);
    }

    std::string quoted(const std::string& name) const {
        char* text = PQescapeIdentifier(connection_.get(), name.data(), name.size());
        if (text == nullptr) {
            fail("");
        }
        std::string result = text;
        PQfreemem(text);
        return result;
    }

    static void each_row(const PGresult* result, const UseRow& use) {
        Cells cells;
        for (int row = 0; use && row < PQntuples(result); ++row) {
            cells.clear();
            for (int i = 0; i < PQnfields(result); ++i) {
                if (PQgetisnull(result, row, i) != 0) {
                    cells.emplace_back(std::nullopt);
                } else {
                    cells.emplace_back(std::string(PQgetvalue(result, row, i)));
                }
            }
            use(cells);
        }
    }

    std::string name_;  // for errors: a connection may hold a password
    std::unique_ptr<PGconn, Disconnect> connection_;
};

}  // namespace

std::unique_ptr<TableSource> open_postgresql(const std::string& connection) {
    return std::make_unique<Postgresql>(connection);
}

#else

std::unique_ptr<TableSource> open_postgresql(const std::string&) {
    throw Error("this build has no PostgreSQL", {},
                "install libpq-dev and build again, or export the tables to SQLite or CSV");
}

#endif

}  // namespace hri::data
