// SPDX-License-Identifier: Apache-2.0

// Tasks about random families.

#include "tasks/generators.hpp"

#include <numeric>
#include <utility>
#include <vector>

namespace hri::tasks {

namespace {

constexpr int kNobody = -1;

/// The parents of every person. A person with a father has a mother.
class Family {
  public:
    /// People arrive one by one in random order, of random sex. Each picks a couple among those so
    /// far, or none, as parents. After each arrival, with probability `marriage`, a random single
    /// man and a random single woman marry unless they are too closely related.
    void draw(int n, double marriage, Random& random);

    int size() const { return static_cast<int>(people_.size()); }

    bool is_man(int x) const { return at(x).man; }

    int father(int x) const { return at(x).father; }

    int mother(int x) const { return at(x).mother; }

    bool has_parents(int x) const { return at(x).father != kNobody; }

    /// Nobody marries twice, so one father means one couple.
    bool are_siblings(int x, int y) const {
        return x != y && has_parents(x) && father(x) == father(y);
    }

    bool has_grandparents(int x) const {
        return has_parents(x) && (has_parents(father(x)) || has_parents(mother(x)));
    }

    /// (parent, child) of the fathers.
    void write_fathers(std::vector<Fact>& facts) const;
    void write_mothers(std::vector<Fact>& facts) const;
    /// (child, parent), both parents, of the children of one sex.
    void write_children(bool men, std::vector<Fact>& facts) const;
    /// (x, y): x, of one sex, and y are siblings.
    void write_siblings(bool men, std::vector<Fact>& facts) const;

  private:
    struct Person {
        bool man = false;
        int father = kNobody;
        int mother = kNobody;
    };

    struct Couple {
        int man = kNobody;
        int woman = kNobody;
    };

    const Person& at(int x) const { return people_[static_cast<std::size_t>(x)]; }

    bool may_marry(int x, int y) const;
    void marry_some(Random& random);

    std::vector<Person> people_;
    std::vector<int> arrivals_;
    std::vector<int> single_men_;
    std::vector<int> single_women_;
    std::vector<Couple> couples_;
};

void Family::draw(int n, double marriage, Random& random) {
    people_.assign(static_cast<std::size_t>(n), Person{});
    arrivals_.resize(static_cast<std::size_t>(n));
    std::iota(arrivals_.begin(), arrivals_.end(), 0);
    random.shuffle(arrivals_);
    single_men_.clear();
    single_women_.clear();
    couples_.assign(1, Couple{});  // the first couple is nobody
    for (const int x : arrivals_) {
        Person& person = people_[static_cast<std::size_t>(x)];
        person.man = random.chance(0.5);
        const Couple parents =
            couples_[static_cast<std::size_t>(random.below(static_cast<int>(couples_.size())))];
        person.father = parents.man;
        person.mother = parents.woman;
        (person.man ? single_men_ : single_women_).push_back(x);
        if (random.chance(marriage)) {
            marry_some(random);
        }
    }
}

void Family::marry_some(Random& random) {
    if (single_men_.empty() || single_women_.empty()) {
        return;
    }
    int& man =
        single_men_[static_cast<std::size_t>(random.below(static_cast<int>(single_men_.size())))];
    int& woman = single_women_[static_cast<std::size_t>(
        random.below(static_cast<int>(single_women_.size())))];
    if (!may_marry(man, woman)) {
        return;
    }
    couples_.push_back({man, woman});
    std::swap(man, single_men_.back());
    single_men_.pop_back();
    std::swap(woman, single_women_.back());
    single_women_.pop_back();
}

/// Not siblings, no common grandparent, neither the other's aunt or uncle.
bool Family::may_marry(int x, int y) const {
    if (!has_parents(x) || !has_parents(y)) {
        return true;
    }
    if (are_siblings(x, y)) {
        return false;
    }
    for (const int parent_x : {father(x), mother(x)}) {
        if (are_siblings(parent_x, y)) {
            return false;
        }
        for (const int parent_y : {father(y), mother(y)}) {
            if (are_siblings(x, parent_y) || are_siblings(parent_x, parent_y)) {
                return false;
            }
        }
    }
    return true;
}

void Family::write_fathers(std::vector<Fact>& facts) const {
    for (int x = 0; x < size(); ++x) {
        if (has_parents(x)) {
            facts.push_back({father(x), x});
        }
    }
    std::sort(facts.begin(), facts.end());
}

void Family::write_mothers(std::vector<Fact>& facts) const {
    for (int x = 0; x < size(); ++x) {
        if (has_parents(x)) {
            facts.push_back({mother(x), x});
        }
    }
    std::sort(facts.begin(), facts.end());
}

void Family::write_children(bool men, std::vector<Fact>& facts) const {
    for (int x = 0; x < size(); ++x) {
        if (has_parents(x) && is_man(x) == men) {
            facts.push_back({x, std::min(father(x), mother(x))});
            facts.push_back({x, std::max(father(x), mother(x))});
        }
    }
}

void Family::write_siblings(bool men, std::vector<Fact>& facts) const {
    for (int x = 0; x < size(); ++x) {
        if (!has_parents(x) || is_man(x) != men) {
            continue;
        }
        for (int y = 0; y < size(); ++y) {
            if (are_siblings(x, y)) {
                facts.push_back({x, y});
            }
        }
    }
}

constexpr double kMarriage = 0.8;
constexpr double kMarriageOfRelatedness = 0.9;

void label_grandparents(const Family& family, Instance& instance) {
    for (int x = 0; x < family.size(); ++x) {
        if (!family.has_parents(x)) {
            continue;
        }
        for (const int parent : {family.father(x), family.mother(x)}) {
            if (family.has_parents(parent)) {
                label_positive(instance, family.father(parent), x);
                label_positive(instance, family.mother(parent), x);
            }
        }
    }
}

/// father, mother, son, daughter.
void write_four_relations(const Family& family, Instance& instance) {
    family.write_fathers(instance.facts[0]);
    family.write_mothers(instance.facts[1]);
    family.write_children(true, instance.facts[2]);
    family.write_children(false, instance.facts[3]);
}

}  // namespace

// Only fathers and brothers are known to be men, and only fathers are known as parents.
void son(int n, Random& random, Instance& instance) {
    static thread_local Family family;
    static thread_local std::vector<std::uint8_t> known_man;
    draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        family.draw(n, kMarriage, random);
        family.write_fathers(instance.facts[0]);
        family.write_siblings(true, instance.facts[1]);
        family.write_siblings(false, instance.facts[2]);
        known_man.assign(static_cast<std::size_t>(n), 0);
        for (int x = 0; x < n; ++x) {
            if (family.has_parents(x)) {
                known_man[static_cast<std::size_t>(family.father(x))] = 1;
            }
            for (int y = 0; y < n; ++y) {
                if (family.is_man(x) && family.are_siblings(x, y)) {
                    known_man[static_cast<std::size_t>(x)] = 1;
                }
            }
        }
        for (int x = 0; x < n; ++x) {
            if (family.has_parents(x) && known_man[static_cast<std::size_t>(x)] != 0) {
                label_positive(instance, x, family.father(x));
            }
        }
    });
}

void grandparent(int n, Random& random, Instance& instance) {
    static thread_local Family family;
    draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        family.draw(n, kMarriage, random);
        family.write_fathers(instance.facts[0]);
        family.write_mothers(instance.facts[1]);
        label_grandparents(family, instance);
    });
}

void grandparent_nlm(int n, Random& random, Instance& instance) {
    static thread_local Family family;
    draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        family.draw(n, kMarriage, random);
        write_four_relations(family, instance);
        label_grandparents(family, instance);
    });
}

void has_father(int n, Random& random, Instance& instance) {
    static thread_local Family family;
    draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        family.draw(n, kMarriage, random);
        write_four_relations(family, instance);
        for (int x = 0; x < n; ++x) {
            if (family.has_parents(x)) {
                label_positive(instance, x);
            }
        }
    });
}

// Two people are related when a chain of parents and children joins them. Whoever has a relative is
// his own relative too: definite rules cannot tell x from y.
void relatedness(int n, Random& random, Instance& instance) {
    static thread_local Family family;
    static thread_local std::vector<int> clan;  // [person]: the smallest member of the clan
    static thread_local std::vector<std::uint8_t> alone;
    draw_until_mixed(instance, [&] {
        instance.reset(n, Label::negative);
        bool has_grandparent = false;
        family.draw(n, kMarriageOfRelatedness, random);
        for (int x = 0; x < n; ++x) {
            has_grandparent |= family.has_grandparents(x);
        }
        if (!has_grandparent) {
            return;  // without positive labels, so that it is drawn again
        }
        family.write_fathers(instance.facts[0]);
        family.write_mothers(instance.facts[0]);  // sorts both
        alone.assign(static_cast<std::size_t>(n), 1);
        clan.resize(static_cast<std::size_t>(n));
        std::iota(clan.begin(), clan.end(), 0);
        for (const Fact& parent : instance.facts[0]) {
            alone[static_cast<std::size_t>(parent.first)] = 0;
            alone[static_cast<std::size_t>(parent.second)] = 0;
        }
        for (bool changed = true; changed;) {
            changed = false;
            for (const Fact& parent : instance.facts[0]) {
                int& one = clan[static_cast<std::size_t>(parent.first)];
                int& other = clan[static_cast<std::size_t>(parent.second)];
                if (one != other) {
                    one = other = std::min(one, other);
                    changed = true;
                }
            }
        }
        for (int x = 0; x < n; ++x) {
            for (int y = 0; y < n; ++y) {
                if (alone[static_cast<std::size_t>(x)] == 0 &&
                    clan[static_cast<std::size_t>(x)] == clan[static_cast<std::size_t>(y)]) {
                    label_positive(instance, x, y);
                }
            }
        }
    });
}

}  // namespace hri::tasks
