// SPDX-License-Identifier: Apache-2.0
#pragma once

// SWI-Prolog in a process of its own, which has read a background and answers calls.
//
//   PrologProcess prolog;
//   prolog.load(text, "bk.pl");
//   PrologProcess::Answer answer = prolog.call({"tail", 2}, {prolog.number("[1,2]"), -1}, {});
//   // answer.rows: numbers of [1,2] and [2]

#include "hri/logic.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hri::data {

class PrologProcess {
  public:
    /// Throws Error where SWI-Prolog is not installed.
    PrologProcess();
    ~PrologProcess();
    PrologProcess(const PrologProcess&) = delete;
    PrologProcess& operator=(const PrologProcess&) = delete;

    /// Reads clauses. Of directives those that declare something count, the others are passed
    /// over. Throws Error with the place.
    void load(std::string_view text, const std::string& file);

    enum class Status : std::uint8_t {
        ok,
        open,        ///< an answer leaves an argument open
        unguarded,   ///< an argument needs a value before the call
        inferences,  ///< it takes more than the bound
        solutions,   ///< there are more than the bound
        error
    };

    struct Bounds {
        std::int64_t inferences = 1'000'000;
        std::int64_t solutions = 10'000;
        bool guarded = false;  ///< negation, cuts and the like need values: any mode is right
    };

    struct Answer {
        Status status = Status::ok;
        std::vector<std::int32_t> rows;  ///< numbers of terms, one row after the other
        std::string message;             ///< of an error
    };

    /// `arguments` are numbers of terms, -1 for what is asked.
    Answer call(const PredicateSymbol& symbol, std::span<const std::int32_t> arguments,
                const Bounds& bounds);

    /// The number of a constant's term: they count from 0.
    std::int32_t number(const std::string& constant);

    /// The constant of a term, by its number.
    const std::string& constant(std::int32_t number) const {
        return constants_[static_cast<std::size_t>(number)];
    }

    std::size_t terms() const { return constants_.size(); }

  private:
    void send(std::string_view request);
    std::string_view line();
    void announce(std::string_view text);
    [[noreturn]] void fail(const std::string& what) const;

    int socket_ = -1;
    int process_ = -1;
    std::string received_;
    std::size_t at_ = 0;  // what was looked at
    std::vector<std::string> constants_;
    std::unordered_map<std::string, std::int32_t> numbers_;
};

}  // namespace hri::data
