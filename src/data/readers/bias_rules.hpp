// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rules of a bias file that abbreviate its declarations:
//
//   constant(c_white,agent).   constant(c_5,int).
//   body_pred(P,1) :- constant(P,_).          % body_pred(c_white,1). body_pred(c_5,1).
//   type(P,(T,)) :- constant(P,T).

#include "hri/error.hpp"

#include "logic/prolog/terms.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace hri::data {

class BiasRules {
  public:
    /// A fact that rules may use. Facts with functions are left out.
    void add_fact(const prolog::Node& fact);
    /// False: the rule is of a kind that is not understood.
    bool add_rule(const prolog::Node& rule, const Place& place);
    /// The declarations that the rules give, as text. Removes from `unused` the predicates
    /// ("constant/2") that rules use.
    void expand(const std::function<void(const std::string& fact, const Place& place)>& each,
                const std::function<void(const std::string& used)>& used) const;

  private:
    using Bindings = std::map<std::string, std::string>;

    struct Goal {
        std::string name;
        std::vector<std::string> arguments;  // as written; "V:X" are variables
    };

    struct BiasRule {
        std::vector<std::string> head;  // pieces of text; those that begin with "V:" are variables
        std::vector<Goal> body;
        Place place;
    };

    static bool append_pieces(const prolog::Node& node, std::vector<std::string>& pieces);
    void solve(const BiasRule& rule, std::size_t goal, const Bindings& bindings,
               const std::function<void(const Bindings&)>& found) const;

    std::vector<Goal> facts_;
    std::vector<BiasRule> rules_;
};

}  // namespace hri::data
