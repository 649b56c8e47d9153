// SPDX-License-Identifier: Apache-2.0

// Task folders: bk.pl, exs.pl and, if wanted, bias.pl.

#include "hri/data.hpp"

#include "data/bias.hpp"
#include "data/constants.hpp"
#include "data/task_files.hpp"
#include "logic/prolog.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace hri {

using data::TextFile;

namespace {

namespace fs = std::filesystem;

constexpr int kMostArity = 2;
constexpr const char* kHintFolder =
    "a task folder holds bk.pl (facts), exs.pl (examples) and, if wanted, bias.pl";
constexpr const char* kHintArity =
    "split it: one constant per fact, and one binary predicate per argument";

std::string described(const PredicateSymbol& symbol) {
    return symbol.name + "/" + std::to_string(symbol.arity);
}

std::string described(const prolog::Node& node) {
    const std::string name(node.name.substr(0, 40));
    switch (node.kind) {
        case prolog::Kind::variable:
            return "the variable " + name;
        case prolog::Kind::number:
            return "the number " + name;
        case prolog::Kind::string:
            return "a string";
        case prolog::Kind::list:
            return "a list";
        case prolog::Kind::atom:
            return "'" + name + "'";
        case prolog::Kind::compound:
            return node.name == "," ? "several atoms"
                                    : "'" + name + "' with " + std::to_string(node.arity()) +
                                          (node.arity() == 1 ? " argument" : " arguments");
    }
    return {};
}

/// p, p(a) or p(a,b), and not the glue between atoms.
bool is_atom(const prolog::Node& node) {
    constexpr std::array<std::string_view, 9> kGlue = {",",  ";",  ":-",  "?-", "-->",
                                                       "->", "::", "[|]", "{}"};
    return node.is_callable() && std::find(kGlue.begin(), kGlue.end(), node.name) == kGlue.end();
}

bool is_directive(const prolog::Node& clause) { return clause.is(":-", 1) || clause.is("?-", 1); }

struct Example {
    std::int32_t first = 0;
    std::int32_t second = 0;
    bool positive = false;
    std::size_t offset = 0;  // in exs.pl
};

/// Goes through the three files and gathers what they say.
class FolderReader {
  public:
    Problem read(const data::TaskFiles& files, const ReadOptions& options);

  private:
    void set_target(const data::Bias& bias);
    void set_inputs(const data::Bias& bias);
    void read_examples(const TextFile& file);
    void read_background(const TextFile& file);
    void read_fact(const prolog::Reader& reader, const prolog::Node& clause);
    std::optional<std::size_t> input_of(const prolog::Reader& reader, const prolog::Node& atom);
    std::int32_t constant(const prolog::Reader& reader, const prolog::Node& atom, int position);
    void read_constants(const Place& place, std::string_view comment);
    void write_facts(const std::vector<std::int32_t>& renumbered, Instance& instance);
    void write_labels(const std::vector<std::int32_t>& renumbered, const TextFile& file,
                      Instance& instance);

    void warn(const Place& place, const std::string& message) {
        problem_.warnings.push_back(data::warning_at(place, message));
    }

    Problem problem_;
    bool target_known_ = false;
    bool inputs_known_ = false;                     // other predicates are not inputs
    std::map<PredicateSymbol, std::size_t> input_;  // index into problem_.inputs and facts_
    std::set<PredicateSymbol> passed_over_;         // predicates of bk.pl that are not inputs
    std::vector<std::vector<Fact>> facts_;          // [input]; constants as interned
    std::vector<Example> examples_;
    data::Constants constants_;
};

Problem FolderReader::read(const data::TaskFiles& files, const ReadOptions& options) {
    const data::Bias bias =
        files.bias ? data::read_bias(files.bias->text, files.bias->path) : data::Bias{};
    set_target(bias);
    read_examples(files.examples);
    set_inputs(bias);
    read_background(files.background);

    std::int64_t atoms = 1;
    for (int i = 0; i < problem_.target.arity; ++i) {
        atoms *= constants_.size();
    }
    if (constants_.size() > kMostAtoms || atoms > kMostAtoms) {
        throw Error("the instance is too large: " + std::to_string(constants_.size()) +
                        " constants give " + described(problem_.target) + " " +
                        std::to_string(atoms) + " atoms, expected at most " +
                        std::to_string(kMostAtoms) + " (every atom has a label)",
                    {files.examples.path}, "cut the data into smaller folders");
    }
    data::Constants::Numbering numbering = constants_.numbered();
    Instance& instance = problem_.training.instances.emplace_back();
    instance.reset(static_cast<int>(constants_.size()), static_cast<int>(facts_.size()),
                   problem_.target.arity,
                   options.closed_world ? Label::negative : Label::unlabelled);
    instance.names = std::move(numbering.names);
    write_facts(numbering.renumbered, instance);
    write_labels(numbering.renumbered, files.examples, instance);
    return std::move(problem_);
}

void FolderReader::set_target(const data::Bias& bias) {
    problem_.warnings = bias.warnings;
    if (!bias.heads.empty()) {
        problem_.target = bias.heads.front().symbol;
        target_known_ = true;
    }
    for (const data::Declaration& head : bias.heads) {
        if (head.symbol != problem_.target) {
            throw Error("a second target " + described(head.symbol) + ", expected " +
                            described(problem_.target) + " alone",
                        head.place, "learn one target at a time: a folder for each");
        }
    }
}

void FolderReader::set_inputs(const data::Bias& bias) {
    inputs_known_ = !bias.bodies.empty();
    for (const data::Declaration& body : bias.bodies) {
        if (body.symbol == problem_.target) {
            warn(body.place, described(body.symbol) + " is the target and therefore not an input");
        } else if (input_.try_emplace(body.symbol, problem_.inputs.size()).second) {
            problem_.inputs.push_back(body.symbol);
            facts_.emplace_back();
        }
    }
}

void FolderReader::read_examples(const TextFile& file) {
    prolog::Reader reader(file.text, file.path);
    while (const prolog::Node* clause = reader.next()) {
        if (is_directive(*clause)) {
            continue;
        }
        if (!clause->is("pos", 1) && !clause->is("neg", 1)) {
            throw Error("expected pos(...) or neg(...), found " + described(*clause),
                        reader.place(*clause), "write each example as pos(target(a,b)).");
        }
        const prolog::Node& atom = clause->arguments[0];
        if (!is_atom(atom)) {
            throw Error("expected an atom of the target, found " + described(atom),
                        reader.place(atom), "write each example as pos(target(a,b)).");
        }
        if (!target_known_) {
            if (atom.arity() > kMostArity) {
                throw Error("targets of arity " + std::to_string(atom.arity()) +
                                " are not supported, expected at most " +
                                std::to_string(kMostArity),
                            reader.place(atom), kHintArity);
            }
            problem_.target = {std::string(atom.name), atom.arity()};
            target_known_ = true;
        }
        if (!atom.is(problem_.target.name, problem_.target.arity)) {
            throw Error("expected an example of " + described(problem_.target) + ", found " +
                            described(PredicateSymbol{std::string(atom.name), atom.arity()}),
                        reader.place(atom), "a folder has one target");
        }
        examples_.push_back({constant(reader, atom, 0), constant(reader, atom, 1),
                             clause->name == "pos", atom.offset});
    }
    if (!target_known_) {
        throw Error("expected examples, found none", {file.path, 1, 1},
                    "write each example as pos(target(a,b)).");
    }
    if (examples_.empty()) {
        warn({file.path}, "there are no examples");
    }
}

void FolderReader::read_background(const TextFile& file) {
    prolog::Reader reader(file.text, file.path);
    while (const prolog::Node* clause = reader.next()) {
        if (!is_directive(*clause)) {
            read_fact(reader, *clause);
        }
    }
    for (const prolog::Comment& comment : reader.comments()) {
        constexpr std::string_view kMark = " constants:";
        if (comment.text.starts_with(kMark)) {
            read_constants(reader.place(comment.offset), comment.text.substr(kMark.size()));
        }
    }
}

void FolderReader::read_fact(const prolog::Reader& reader, const prolog::Node& clause) {
    const bool is_rule = clause.is(":-", 2);
    const prolog::Node* atom = is_rule ? &clause.arguments[0] : &clause;
    float value = 1;
    if (atom->is("::", 2)) {
        const prolog::Node& number = atom->arguments[0];
        value = static_cast<float>(number.value);
        if (number.kind != prolog::Kind::number || !(value > 0 && number.value <= 1)) {
            throw Error("expected a valuation above 0 and at most 1, found " + described(number),
                        reader.place(number), "write 0.8::edge(a,b).");
        }
        atom = &atom->arguments[1];
    }
    if (!is_atom(*atom)) {
        throw Error("expected a fact, found " + described(*atom), reader.place(*atom),
                    "write each fact as parent(ann,bob).");
    }
    const std::optional<std::size_t> input = input_of(reader, *atom);
    if (!input) {
        return;
    }
    if (is_rule) {
        throw Error("expected facts only, found a rule for " +
                        described(PredicateSymbol{std::string(atom->name), atom->arity()}),
                    reader.place(clause), "write out the facts that it gives");
    }
    facts_[*input].push_back({constant(reader, *atom, 0), constant(reader, *atom, 1), value});
}

/// Which input an atom belongs to, if any.
std::optional<std::size_t> FolderReader::input_of(const prolog::Reader& reader,
                                                  const prolog::Node& atom) {
    const PredicateSymbol symbol{std::string(atom.name), atom.arity()};
    if (const auto known = input_.find(symbol); known != input_.end()) {
        return known->second;
    }
    const bool is_target = symbol == problem_.target;
    if (inputs_known_ || is_target) {
        if (passed_over_.insert(symbol).second) {  // the first of them
            const auto namesake = std::find_if(
                problem_.inputs.begin(), problem_.inputs.end(),
                [&](const PredicateSymbol& input) { return input.name == symbol.name; });
            if (is_target) {
                warn(reader.place(atom),
                     described(symbol) + " is the target: its facts are not an input");
            } else if (namesake != problem_.inputs.end()) {
                warn(reader.place(atom),
                     described(symbol) + " is not an input: bias.pl has " + described(*namesake));
            }
        }
        return std::nullopt;
    }
    if (symbol.arity > kMostArity) {
        throw Error("facts of arity " + std::to_string(symbol.arity) +
                        " are not supported, expected at most " + std::to_string(kMostArity) +
                        " arguments",
                    reader.place(atom), kHintArity);
    }
    const std::size_t index = problem_.inputs.size();
    input_.emplace(symbol, index);
    problem_.inputs.push_back(symbol);
    facts_.emplace_back();
    return index;
}

/// The constant at a position of an atom; 0 beyond its arity.
std::int32_t FolderReader::constant(const prolog::Reader& reader, const prolog::Node& atom,
                                    int position) {
    if (position >= atom.arity()) {
        return 0;
    }
    const prolog::Node& argument = atom.arguments[static_cast<std::size_t>(position)];
    if (argument.kind == prolog::Kind::variable) {
        throw Error("expected a constant, found " + described(argument), reader.place(argument),
                    "names of constants begin with a small letter or stand in single quotes");
    }
    if (argument.arity() > 0) {
        throw Error("expected a constant, found " + described(argument), reader.place(argument),
                    "terms with functions are not supported: give the term a name");
    }
    return constants_.intern(argument.name);
}

/// Constants that no fact or example mentions, from a comment: % constants: ann, bob
void FolderReader::read_constants(const Place& place, std::string_view comment) {
    try {
        const std::string text = "constants(" + std::string(comment) + "\n).";
        prolog::Reader reader(text, place.file);
        const prolog::Node* clause = reader.next();
        for (int i = 0; i < clause->arity(); ++i) {
            constant(reader, *clause, i);
        }
    } catch (const Error&) {  // a comment after all
        warn(place, "this comment lists no constants");
    }
}

void FolderReader::write_facts(const std::vector<std::int32_t>& renumbered, Instance& instance) {
    for (std::size_t input = 0; input < facts_.size(); ++input) {
        std::vector<Fact>& facts = facts_[input];
        const int arity = problem_.inputs[input].arity;
        for (Fact& fact : facts) {
            fact.first = arity > 0 ? renumbered[static_cast<std::size_t>(fact.first)] : 0;
            fact.second = arity > 1 ? renumbered[static_cast<std::size_t>(fact.second)] : 0;
        }
        // of facts that differ in their valuation alone the largest stays
        std::sort(facts.begin(), facts.end(), [](const Fact& a, const Fact& b) {
            return std::tie(a.first, a.second, b.value) < std::tie(b.first, b.second, a.value);
        });
        const auto same = [](const Fact& a, const Fact& b) {
            return a.first == b.first && a.second == b.second;
        };
        facts.erase(std::unique(facts.begin(), facts.end(), same), facts.end());
        instance.facts[input] = std::move(facts);
    }
}

void FolderReader::write_labels(const std::vector<std::int32_t>& renumbered, const TextFile& file,
                                Instance& instance) {
    const int arity = problem_.target.arity;
    const auto label_of = [&](const Example& example) -> Label& {
        std::size_t atom = 0;
        for (int i = 0; i < arity; ++i) {
            atom =
                atom * static_cast<std::size_t>(instance.constants) +
                static_cast<std::size_t>(
                    renumbered[static_cast<std::size_t>(i == 0 ? example.first : example.second)]);
        }
        return instance.labels[atom];
    };
    for (const Example& example : examples_) {
        if (example.positive) {
            label_of(example) = Label::positive;
        }
    }
    int contradictions = 0;
    std::size_t first_offset = 0;
    for (const Example& example : examples_) {
        Label& label = label_of(example);
        if (!example.positive && label == Label::positive) {
            first_offset = contradictions++ == 0 ? example.offset : first_offset;
        } else if (!example.positive) {
            label = Label::negative;
        }
    }
    if (contradictions > 0) {
        warn(prolog::Reader(file.text, file.path).place(first_offset),
             "this example is positive elsewhere and counts as positive" +
                 (contradictions == 1 ? ""
                                      : ", with " + std::to_string(contradictions - 1) + " more"));
    }
}

TextFile read_text(const fs::path& path) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) {
        throw Error("expected this file", {path.string()}, kHintFolder);
    }
    TextFile file{path.string(), read_file(path)};
    if (file.text.starts_with("\xEF\xBB\xBF")) {  // a byte order mark
        file.text.erase(0, 3);
    }
    return file;
}

}  // namespace

Problem data::read_task(const TaskFiles& files, const ReadOptions& options) {
    return FolderReader().read(files, options);
}

Problem read_task_folder(const fs::path& folder, const ReadOptions& options) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) {
        throw Error(
            fs::exists(folder, ignored) ? "this is not a folder" : "there is no such folder",
            {folder.string()}, kHintFolder);
    }
    data::TaskFiles files;
    files.background = read_text(folder / "bk.pl");
    files.examples = read_text(folder / "exs.pl");
    if (fs::exists(folder / "bias.pl", ignored)) {
        files.bias = read_text(folder / "bias.pl");
    }
    Problem problem = data::read_task(files, options);
    const fs::path name = fs::absolute(folder, ignored).lexically_normal();
    problem.name = (name.has_filename() ? name : name.parent_path()).filename().string();
    return problem;
}

}  // namespace hri
