// SPDX-License-Identifier: Apache-2.0
#include "logic/merged.hpp"

#include <set>
#include <string>

namespace hri::logic {

namespace {

/// Adds programs to one, predicate by predicate.
class Union {
  public:
    explicit Union(const std::vector<Program>& programs) {
        for (const Program& program : programs)
            for (const PredicateSymbol& symbol : program.vocabulary.symbols())
                if (!is_invented(program, symbol))
                    taken_.insert(symbol.name);
    }

    void add(const Program& program) {
        const std::vector<PredicateSymbol>& symbols = program.vocabulary.symbols();
        std::map<PredicateSymbol, std::string> names;
        for (PredicateSymbol symbol : symbols) {
            symbol.negated = false;
            if (is_invented(program, symbol) && names.count(symbol) == 0)
                names[symbol] = fresh();
        }
        const auto moved = [&](const Atom& atom) {
            PredicateSymbol symbol = program.vocabulary[atom.predicate];
            PredicateSymbol positive = symbol;
            positive.negated = false;
            if (const auto renamed = names.find(positive); renamed != names.end())
                symbol.name = renamed->second;
            Atom result{all.vocabulary.intern(symbol), atom.arguments};
            for (Term& term : result.arguments)
                if (!term.is_variable())
                    term = Term::constant(all.vocabulary.intern_constant(
                        program.vocabulary.constants()[static_cast<std::size_t>(term.index())]));
            return result;
        };
        const Predicate target = all.vocabulary.intern(program.vocabulary[program.target]);
        if (count_++ == 0)
            all.target = target;
        for (const Rule& rule : program.rules) {
            Rule copy{moved(rule.head), {}};
            for (const Atom& atom : rule.body)
                copy.body.push_back(moved(atom));
            all.rules.push_back(std::move(copy));
        }
    }

    Program all;

  private:
    static bool is_invented(const Program& program, PredicateSymbol symbol) {
        symbol.negated = false;
        const std::optional<Predicate> predicate = program.vocabulary.find(symbol);
        if (!predicate || *predicate == program.target)
            return false;
        for (const Rule& rule : program.rules)
            if (rule.head.predicate == *predicate)
                return true;
        return false;
    }

    std::string fresh() {
        std::string name;
        do
            name = "aux" + std::to_string(++invented_);
        while (taken_.count(name) > 0);
        return name;
    }

    std::set<std::string> taken_;
    int invented_ = 0;
    int count_ = 0;
};

}  // namespace

Program merged(const std::vector<Program>& programs) {
    Union result(programs);
    for (const Program& program : programs)
        result.add(program);
    return std::move(result.all);
}

}  // namespace hri::logic
