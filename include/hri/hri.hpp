// SPDX-License-Identifier: Apache-2.0
#pragma once

// All public headers, in the order in which data flow through them.

// clang-format off
#include "hri/version.hpp"  // IWYU pragma: export
#include "hri/error.hpp"  // IWYU pragma: export
#include "hri/files.hpp"  // IWYU pragma: export
#include "hri/random.hpp"  // IWYU pragma: export
#include "hri/fields.hpp"  // IWYU pragma: export
#include "hri/logic.hpp"  // IWYU pragma: export
#include "hri/schema.hpp"  // IWYU pragma: export
#include "hri/database.hpp"  // IWYU pragma: export
#include "hri/data.hpp"  // IWYU pragma: export
#include "hri/tables.hpp"  // IWYU pragma: export
#include "hri/folds.hpp"  // IWYU pragma: export
#include "hri/graph.hpp"  // IWYU pragma: export
#include "hri/scenes.hpp"  // IWYU pragma: export
#include "hri/evaluate.hpp"  // IWYU pragma: export
#include "hri/derive.hpp"  // IWYU pragma: export
#include "hri/library.hpp"  // IWYU pragma: export
#include "hri/comparisons.hpp"  // IWYU pragma: export
#include "hri/recall.hpp"  // IWYU pragma: export
#include "hri/scene_rules.hpp"  // IWYU pragma: export
#include "hri/ranking.hpp"  // IWYU pragma: export
#include "hri/explain.hpp"  // IWYU pragma: export
#include "hri/protorules.hpp"  // IWYU pragma: export
#include "hri/options.hpp"  // IWYU pragma: export
#include "hri/model.hpp"  // IWYU pragma: export
#include "hri/smallest_hierarchy.hpp"  // IWYU pragma: export
#include "hri/expressivity.hpp"  // IWYU pragma: export
#include "hri/tasks.hpp"  // IWYU pragma: export
#include "hri/compositions.hpp"  // IWYU pragma: export
#include "hri/customers.hpp"  // IWYU pragma: export
#include "hri/priors.hpp"  // IWYU pragma: export
#include "hri/explain_model.hpp"  // IWYU pragma: export
#include "hri/device.hpp"  // IWYU pragma: export
#include "hri/train.hpp"  // IWYU pragma: export
#include "hri/trainable.hpp"  // IWYU pragma: export
#include "hri/cuda_layer.hpp"  // IWYU pragma: export
#include "hri/lri.hpp"  // IWYU pragma: export
#include "hri/multitask.hpp"  // IWYU pragma: export
#include "hri/graph_scenes.hpp"  // IWYU pragma: export
#include "hri/learn_graph.hpp"  // IWYU pragma: export
#include "hri/mine.hpp"  // IWYU pragma: export
#include "hri/learn.hpp"  // IWYU pragma: export
#include "hri/paper_options.hpp"  // IWYU pragma: export
#include "hri/cross_validation.hpp"  // IWYU pragma: export
#include "hri/several_targets.hpp"  // IWYU pragma: export
#include "hri/apply.hpp"  // IWYU pragma: export
#include "hri/diagnosis.hpp"  // IWYU pragma: export
#include "hri/why_not.hpp"  // IWYU pragma: export
#include "hri/rl.hpp"  // IWYU pragma: export
#include "hri/export.hpp"  // IWYU pragma: export
#include "hri/plot.hpp"  // IWYU pragma: export
// clang-format on
