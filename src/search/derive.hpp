// SPDX-License-Identifier: Apache-2.0
#pragma once

// A proto-rule's plan over crisp relations: the views, meets and joins of soft inference,
// over false and true.

#include "hypotheses/plan.hpp"
#include "search/relations.hpp"

namespace hri::search {

template <class Relations>
class RuleDerivation {
  public:
    using Word = typename Relations::Word;

    explicit RuleDerivation(int constants)
        : relations_(constants),
          vector_(relations_.row_words()),
          left_(relations_.area()),
          right_(relations_.area()),
          product_(relations_.area()) {}

    const Relations& relations() const { return relations_; }

    /// The places of the proto-rules' constants; -1: absent.
    void set_constants(std::vector<int> places) { places_ = std::move(places); }

    /// The relation that the conjoined atoms derive. `values` and `arities` [slot of the rule].
    void conjoined(Word* out, const hypotheses::Plan& plan, const Word* const* values,
                   const int* arities) {
        const Word* whole = view(left_.data(), plan.left, values, arities);
        if (plan.combine != hypotheses::Combine::single) {
            const Word* right = view(right_.data(), plan.right, values, arities);
            if (plan.combine == hypotheses::Combine::meet)
                relations_.meet(product_.data(), whole, right);
            else
                relations_.join(product_.data(), whole, right);
            whole = product_.data();
        }
        place(out, plan, whole);
    }

    /// Adds what the disjunct derives.
    void disjunct(Word* out, const hypotheses::Plan& plan, const Word* const* values,
                  const int* arities) {
        const Word* matrix = view(left_.data(), *plan.disjunct, values, arities);
        if (plan.disjunct_head == hypotheses::Plan::Head::diagonal) {
            relations_.diagonal(vector_.data(), matrix);
            relations_.on_diagonal(right_.data(), vector_.data());
            matrix = right_.data();
        }
        for (std::size_t k = 0; k < relations_.area(); ++k)
            out[k] = static_cast<Word>(out[k] | matrix[k]);
    }

  private:
    const Word* view(Word* out, const hypotheses::Operand& operand, const Word* const* values,
                     const int* arities) {
        const hypotheses::View& view = operand.view;
        const Word* matrix = values[operand.slot];
        Word* vector = vector_.data();
        switch (view.reduce) {
            case hypotheses::View::Reduce::none:
                if (!view.transposed)
                    return matrix;
                relations_.transpose(out, matrix);
                return out;
            case hypotheses::View::Reduce::rows:
                relations_.rows(vector, matrix);
                break;
            case hypotheses::View::Reduce::columns:
                relations_.columns(vector, matrix);
                break;
            case hypotheses::View::Reduce::diagonal:
                relations_.diagonal(vector, matrix);
                break;
            case hypotheses::View::Reduce::all:
                relations_.columns(vector, matrix);
                all_or_none(vector);
                break;
            case hypotheses::View::Reduce::all_diagonal:
                relations_.diagonal(vector, matrix);
                all_or_none(vector);
                break;
            case hypotheses::View::Reduce::row:
            case hypotheses::View::Reduce::column:
            case hypotheses::View::Reduce::any_of_row:
            case hypotheses::View::Reduce::any_of_column:
            case hypotheses::View::Reduce::cell:
                select(vector, view, matrix, arities[operand.slot]);
                break;
        }
        if (view.transposed)
            relations_.repeat(out, vector);
        else
            relations_.spread(out, vector);
        return out;
    }

    /// The cells that a view with a constant reads; arguments beyond the arity are ignored.
    void select(Word* vector, const hypotheses::View& view, const Word* matrix, int arity) {
        using Reduce = hypotheses::View::Reduce;
        const auto place = [&](int constant, int i) {
            return constant < 0 || arity <= i ? 0 : places_[static_cast<std::size_t>(constant)];
        };
        const int c = place(view.first, 0);
        const int d = place(view.second, 1);
        std::fill(vector, vector + relations_.row_words(), Word{0});
        if (c < 0 || d < 0)
            return;
        if (view.reduce == Reduce::column || view.reduce == Reduce::any_of_column) {
            relations_.transpose(product_.data(), matrix);
            relations_.row(vector, product_.data(), d);
        } else {
            relations_.row(vector, matrix, c);
        }
        if (view.reduce == Reduce::cell) {
            const bool holds = relations_.has(vector, d);
            std::fill(vector, vector + relations_.row_words(), Word{0});
            if (holds)
                relations_.fill_vector(vector);
        } else if (view.reduce != Reduce::row && view.reduce != Reduce::column) {
            all_or_none(vector);
        }
    }

    void all_or_none(Word* vector) const {
        if (relations_.any_in(vector))
            relations_.fill_vector(vector);
    }

    void place(Word* out, const hypotheses::Plan& plan, const Word* whole) {
        Word* vector = vector_.data();
        if (plan.reduce) {
            relations_.columns(vector, whole);
            if (plan.reduce_all)
                all_or_none(vector);
        } else if (plan.head == hypotheses::Plan::Head::diagonal) {
            relations_.diagonal(vector, whole);
        }
        if (plan.head == hypotheses::Plan::Head::diagonal)
            relations_.on_diagonal(out, vector);
        else if (plan.reduce && plan.head == hypotheses::Plan::Head::transposed)
            relations_.repeat(out, vector);
        else if (plan.reduce)
            relations_.spread(out, vector);
        else if (plan.head == hypotheses::Plan::Head::transposed)
            relations_.transpose(out, whole);
        else
            std::copy(whole, whole + relations_.area(), out);
    }

    Relations relations_;
    std::vector<int> places_;
    std::vector<Word> vector_;  // scratch, as the rest
    std::vector<Word> left_;
    std::vector<Word> right_;
    std::vector<Word> product_;
};

}  // namespace hri::search
