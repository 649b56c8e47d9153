// SPDX-License-Identifier: Apache-2.0
#include "hri/several_targets.hpp"

#include "data/several_targets.hpp"
#include "logic/merged.hpp"

namespace hri {

std::vector<Problem> read_problems(const std::string& source, ReadOptions options,
                                   const std::function<bool(const std::string&)>& wanted,
                                   const TableOptions& tables) {
    std::vector<Problem> all;
    try {
        all.push_back(read_problem(source, options, tables));
    } catch (const data::SeveralTargets& several) {
        for (const std::string& target : several.targets()) {
            if (wanted ? wanted(target) : several.with_examples()) {
                options.target = target;
                all.push_back(read_problem(source, options, tables));
            }
        }
        if (all.empty()) {
            throw;
        }
    }
    return all;
}

Program joint_program(const std::vector<TargetReport>& reports) {
    std::vector<Program> programs;
    for (const TargetReport& target : reports) {
        programs.push_back(target.report.program);
    }
    return programs.size() == 1 ? programs.front() : logic::merged(programs);
}

}  // namespace hri
