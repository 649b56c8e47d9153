// SPDX-License-Identifier: Apache-2.0
#include "base/secrets.hpp"

#include <gtest/gtest.h>

namespace hri::base {
namespace {

TEST(Secrets, AreHiddenInConnections) {
    EXPECT_EQ(without_secrets("postgresql://ann:s3cret@host:5432/db"),
              "postgresql://ann:***@host:5432/db");
    EXPECT_EQ(without_secrets("host=h password=s3cret dbname=d"), "host=h password=*** dbname=d");
    EXPECT_EQ(without_secrets(R"(password = 's3 \' cret' host=h)"), "password = *** host=h");
    EXPECT_EQ(without_secrets("postgresql://h/d?user=u&password=s3cret&sslmode=on"),
              "postgresql://h/d?user=u&password=***&sslmode=on");
}

TEST(Secrets, AreHiddenWhateverTheyHold) {
    for (const char* password : {"p%w", "p/w", "p@w", "p:w", "p w", "p'w", "p@/:?w"}) {
        const std::string shown =
            without_secrets(std::string("no table: postgresql://ann:") + password + "@host/db");
        EXPECT_EQ(shown, "no table: postgresql://ann:***@host/db") << password;
    }
}

TEST(Secrets, AreHiddenWhereTheConnectionIsMisspelt) {
    for (const char* begin : {"Postgresql://", "postgresql:/", "postgres//", "mysql://", "//"}) {
        const std::string shown = without_secrets(std::string(begin) + "ann:s3cret@host/db");
        EXPECT_EQ(shown, std::string(begin) + "ann:***@host/db");
    }
}

TEST(Secrets, LeaveOtherTextsAlone) {
    for (const char* text :
         {"", "data/family:2", "a@b", "postgresql://host/db", "postgresql://ann@host:5432/db",
          "file//a", "see password", "https://example.org/a:b@c", "B*: H(X,Y) <- ~P(X,Z) // x"}) {
        EXPECT_EQ(without_secrets(text), text);
    }
}

}  // namespace
}  // namespace hri::base
