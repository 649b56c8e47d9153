// SPDX-License-Identifier: Apache-2.0
#include "learn_flags.hpp"

namespace hri::cli {

const std::vector<Field<LearnFlags>>& learn_fields() {
    using F = LearnFlags;
    static const std::vector<Field<F>> fields = {
        base::text(own("task", "A built-in task, or data: a folder, a file or a database.", "TASK"),
                   &F::task),
        base::text(own("program", "Writes the program as Prolog.", "FILE"), &F::program_file),
        base::text(own("out", "Writes the model as safetensors.", "FILE"), &F::model_file),
        base::text(own("json", "Writes the report as JSON.", "FILE"), &F::json_file),
        base::boolean(own("evidence", "Prints the coverage of each clause."), &F::evidence),
        base::text(own("library",
                       "A program learned earlier. Clauses may use its predicates, and the "
                       "program written has its rules too.",
                       "FILE"),
                   &F::library_file),
        base::number(
            own("folds",
                "Cross-validates first. The examples are divided into this many parts, and "
                "a program learned from the others judges each part."),
            &F::folds, 2, 1000),
        base::number(
            own("hold_out", "Keeps this percentage of the examples apart, to be judged by.",
                "PERCENT"),
            &F::hold_out, 0.1, 99),
        base::number(rare("sample", "The number of instances to learn from, drawn at random."),
                     &F::sample, 1),
        base::number(rare("constants", "The constants of a built-in task's training data."),
                     &F::constants, 1),
        base::text(rare("checkpoint",
                        "Writes every few seconds, and at the end, where the run stands.", "FILE"),
                   &F::checkpoint_file),
        base::number(rare("checkpoint_seconds", "The time between two checkpoints.", "SECONDS"),
                     &F::checkpoint_seconds, 0),
        base::boolean(rare("resume", "Goes on from the checkpoint."), &F::resume),
        base::text(rare("log", "Writes the training curve as JSON.", "FILE"), &F::log_file),
        base::word(rare("model",
                        "The model: hri is the paper's hierarchy, lri is the baseline that the "
                        "paper compares with.",
                        "NAME"),
                   &F::model, {"hri", "lri"}),
        base::text(rare("templates",
                        "The templates of LRI: task (chosen for a built-in task), rlri (18 for all "
                        "tasks), or proto-rules.",
                        "SET"),
                   &F::templates)};
    return fields;
}

}  // namespace hri::cli
