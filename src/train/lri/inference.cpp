// SPDX-License-Identifier: Apache-2.0
#include "train/lri/inference.hpp"

#include "base/checked_size.hpp"

#include <algorithm>

namespace hri::lri {

template <class Real>
LriInference<Real>::LriInference(const LriModel& model)
    : kernels_(&soft::kernels<Real>(model.options.fuzzy_and)),
      and_(model.options.fuzzy_and),
      arity_(model.arities()),
      inputs_(model.intensional()),
      intensional_(static_cast<int>(arity_.size()) - inputs_),
      predicates_(static_cast<int>(arity_.size())),
      rules_(static_cast<int>(model.task.templates.size())) {
    for (int r = 0; r < rules_; ++r) {
        const ProtoRule& rule = model.task.templates[static_cast<std::size_t>(r)];
        auto shape = std::find_if(shapes_.begin(), shapes_.end(), [&](const Shape& known) {
            return known.rule.head == rule.head && known.rule.body == rule.body;
        });
        if (shape == shapes_.end()) {
            Shape added;
            added.rule = rule;
            added.plan = hypotheses::compile(rule);
            added.left_view = views_.add(added.plan.left.view);
            if (added.has_two())
                added.right_view = views_.add(added.plan.right.view);
            shape = shapes_.insert(shapes_.end(), std::move(added));
        }
        shape->instances.push_back(r);
        shape_of_.push_back(static_cast<int>(shape - shapes_.begin()));
    }
    const auto fits = [&](const Shape& shape, std::size_t atom, int p) {
        return arity_[static_cast<std::size_t>(p)] ==
               static_cast<int>(shape.rule.body[atom].arguments.size());
    };
    for (std::size_t s = 0; s < shapes_.size(); ++s)
        for (int p = 0; p < predicates_; ++p) {
            if (!fits(shapes_[s], 0, p))
                continue;
            if (!shapes_[s].has_two())
                products_.push_back({static_cast<int>(s), p, predicates_, {}, false});
            for (int q = 0; shapes_[s].has_two() && q < predicates_; ++q)
                if (fits(shapes_[s], 1, q))
                    products_.push_back({static_cast<int>(s), p, q, {}, false});
        }
    const auto moving =
        std::stable_partition(products_.begin(), products_.end(), [&](const Product& product) {
            return is_input(product.first) &&
                   (product.second == predicates_ || is_input(product.second));
        });
    settled_ = static_cast<std::size_t>(moving - products_.begin());
}

template <class Real>
void LriInference<Real>::resize(const soft::DenseInstance<Real>& instance, int steps) {
    instance_ = &instance;
    if (n_ != instance.n || ld_ != instance.ld) {
        n_ = instance.n;
        ld_ = instance.ld;
        static_cast<void>(base::checked_size(
            "matrices", {{"predicates", predicates_}, {"constants", n_}, {"columns", ld_}},
            sizeof(Real)));
        base::require_memory(
            "products of LRI",
            {{"products", static_cast<std::int64_t>(products_.size())}, {"constants", n_}},
            static_cast<double>(products_.size()) * n_ * ld_ * sizeof(Real));
        for (Product& product : products_)
            product.values.assign(area(), Real(0));
        meet_.assign(area(), Real(0));
        vector_.assign(static_cast<std::size_t>(ld_), Real(0));
        vector_winner_.assign(static_cast<std::size_t>(ld_), 0);
    }
    views_.resize(*kernels_, predicates_, n_, ld_);
    views_.set_constants(no_constants_, arity_);
    views_.forget_uses();
    for (const Product& product : products_) {
        const Shape& shape = shapes_[static_cast<std::size_t>(product.shape)];
        const bool swapped = shape.plan.left.slot == 1;
        const int left = swapped ? product.second : product.first;
        views_.use(shape.left_view, left);
        if (shape.has_two())
            views_.use(shape.right_view, swapped ? product.first : product.second);
    }
    const std::size_t all = static_cast<std::size_t>(intensional_) * area();
    values_.resize(base::checked_size(
        "valuations",
        {{"steps", steps + 1}, {"predicates", intensional_}, {"constants", n_}, {"columns", ld_}},
        sizeof(Real)));
    std::fill_n(values_.begin(), all, Real(0));
    winners_.resize(static_cast<std::size_t>(steps) * all);
}

template <class Real>
bool LriInference<Real>::is_zero(int step, int p) const {
    if (p == predicates_)
        return false;
    if (is_input(p))
        return instance_->zero[static_cast<std::size_t>(2 + p)];
    const Real* v = value(step, p);
    return std::all_of(v, v + area(), [](Real x) { return x == 0; });
}

// out = what the body gives, from its two axes to the head's arguments.
template <class Real>
void LriInference<Real>::place(std::vector<Real>& out, const Shape& shape) {
    const hypotheses::Plan& plan = shape.plan;
    if (plan.reduce)
        kernels_->column_max(vector_.data(), vector_winner_.data(), meet_.data(), n_, ld_);
    const auto body = [&](int i, int j) {  // W[i,j] or w[i]
        return plan.reduce ? vector_[static_cast<std::size_t>(i)]
                           : meet_[static_cast<std::size_t>(i * ld_ + j)];
    };
    if (plan.head == hypotheses::Plan::Head::direct && !plan.reduce) {
        out = meet_;
        return;
    }
    for (int x = 0; x < n_; ++x)
        for (int y = 0; y < n_; ++y)
            out[static_cast<std::size_t>(x * ld_ + y)] =
                plan.head == hypotheses::Plan::Head::direct       ? body(x, y)
                : plan.head == hypotheses::Plan::Head::transposed ? body(y, x)
                : x == y                                          ? body(x, x)
                                                                  : Real(0);
}

template <class Real>
void LriInference<Real>::compute(Product& product, int step) {
    const Shape& shape = shapes_[static_cast<std::size_t>(product.shape)];
    product.zero = is_zero(step, product.first) || is_zero(step, product.second);
    if (product.zero)
        return;
    const bool swapped = shape.plan.left.slot == 1;
    const Real* left = views_.matrix(shape.left_view, swapped ? product.second : product.first);
    switch (shape.plan.combine) {
        case hypotheses::Combine::single:
            std::copy_n(left, area(), meet_.begin());
            break;
        case hypotheses::Combine::meet:
            kernels_->meet(
                meet_.data(), left,
                views_.matrix(shape.right_view, swapped ? product.first : product.second),
                n_ * ld_);
            break;
        case hypotheses::Combine::join:
            kernels_->join(
                meet_.data(), left,
                views_.matrix(shape.right_view, swapped ? product.first : product.second), n_, n_,
                ld_);
            break;
    }
    place(product.values, shape);
}

// Keeps the larger of each head's valuations and the product's, times its scores.
template <class Real>
void LriInference<Real>::apply(const Product& product, int step) {
    const Shape& shape = shapes_[static_cast<std::size_t>(product.shape)];
    for (int p = inputs_; p < predicates_; ++p) {
        if (arity_[static_cast<std::size_t>(p)] != shape.rule.arity())
            continue;
        const std::size_t at =
            static_cast<std::size_t>((step + 1) * intensional_ + p - inputs_) * area();
        Real* out = values_.data() + at;
        std::int32_t* winner =
            winners_.data() + at - static_cast<std::size_t>(intensional_) * area();
        for (const int r : shape.instances) {
            const Real weight =
                score(0, r, p) * score(1, r, product.first) * score(2, r, product.second);
            if (!(weight > 0))
                continue;
            const std::int32_t code =
                (r * predicates_ + product.first) * (predicates_ + 1) + product.second;
            const Real* in = product.values.data();
            const int count = n_ * ld_;
#pragma omp simd
            for (int i = 0; i < count; ++i) {
                const Real candidate = weight * in[i];
                const bool larger = candidate > out[i];
                out[i] = larger ? candidate : out[i];
                winner[i] = larger ? code : winner[i];
            }
        }
    }
}

template <class Real>
void LriInference<Real>::forward(const std::vector<Real>& scores,
                                 const soft::DenseInstance<Real>& instance, int steps) {
    scores_ = &scores;
    resize(instance, steps);
    for (int p = 0; p < inputs_; ++p)
        views_.update(p, value(0, p));
    const std::size_t all = static_cast<std::size_t>(intensional_) * area();
    steps_ = 0;
    for (int t = 0; t < steps; ++t) {
        for (int p = inputs_; p < predicates_; ++p)
            views_.update(p, value(t, p));
        Real* before = values_.data() + static_cast<std::size_t>(t) * all;
        Real* after = before + all;
        std::copy_n(before, all, after);
        std::fill_n(winners_.data() + static_cast<std::size_t>(t) * all, all, -1);
        for (std::size_t i = t == 0 ? 0 : settled_; i < products_.size(); ++i)
            compute(products_[i], t);
        for (const Product& product : products_)
            if (!product.zero)
                apply(product, t);
        if (std::equal(before, after, after))
            break;  // nor will later steps change anything
        ++steps_;
    }

    const Real* v = value(steps_, predicates_ - 1);
    const int arity = arity_.back();
    target_.clear();
    for (int x = 0; x < (arity == 0 ? 1 : n_); ++x)
        for (int y = 0; y < (arity == 2 ? n_ : 1); ++y)
            target_.push_back(std::min(v[x * ld_ + y], Real(1)));
}

template <class Real>
Real LriInference<Real>::combined(Real a, Real b) const {
    switch (and_) {
        case And::product:
            return a * b;
        case And::lukasiewicz:
            return std::max(a + b - 1, Real(0));
        case And::min:
            break;
    }
    return std::min(a, b);
}

// The gradient of one valuation after `step` + 1 steps, to the scores and the valuations before.
template <class Real>
void LriInference<Real>::backward_cell(std::vector<Real>& d_scores, int step, int p, int x, int y,
                                       Real gradient) {
    const std::size_t own =
        static_cast<std::size_t>(p - inputs_) * area() + static_cast<std::size_t>(x * ld_ + y);
    const std::int32_t code =
        winners_[static_cast<std::size_t>(step * intensional_) * area() + own];
    if (code < 0) {
        d_before_[own] += gradient;
        return;
    }
    const int body[2] = {code / (predicates_ + 1) % predicates_, code % (predicates_ + 1)};
    const int r = code / (predicates_ + 1) / predicates_;
    const ProtoRule& rule =
        shapes_[static_cast<std::size_t>(shape_of_[static_cast<std::size_t>(r)])].rule;

    // Constants of the variables: the head's, then that of the existential one.
    int at[3] = {x, y, 0};
    const int existential =
        rule.head.size() == 2 && rule.head[0] != rule.head[1] ? 2 : 1;  // its number
    const bool two = body[1] != predicates_;
    const auto place = [&](std::size_t atom) {
        const std::vector<int>& arguments = rule.body[atom].arguments;
        return at[arguments[0]] * ld_ + (arguments.size() == 2 ? at[arguments[1]] : 0);
    };
    const auto read = [&](std::size_t atom) { return value(step, body[atom])[place(atom)]; };
    bool scans = false;
    for (const ProtoAtom& atom : rule.body)
        for (const int variable : atom.arguments)
            scans = scans || variable == existential;
    int best = 0;
    Real largest = -1;
    for (int z = 0; z < (scans ? n_ : 1); ++z) {
        if (scans)
            at[existential] = z;
        const Real now = two ? combined(read(0), read(1)) : read(0);
        if (now > largest) {
            largest = now;
            best = z;
        }
    }
    if (scans)
        at[existential] = best;

    const Real s[3] = {score(0, r, p), score(1, r, body[0]), score(2, r, body[1])};
    const auto d_score = [&](int atom, int predicate) -> Real& {
        return d_scores[static_cast<std::size_t>((atom * rules_ + r) * predicates_ + predicate)];
    };
    d_score(0, p) += gradient * largest * s[1] * s[2];
    d_score(1, body[0]) += gradient * largest * s[0] * s[2];
    if (two)
        d_score(2, body[1]) += gradient * largest * s[0] * s[1];

    const Real down = gradient * s[0] * s[1] * s[2];
    const Real v[2] = {read(0), two ? read(1) : Real(1)};
    for (std::size_t atom = 0; atom < rule.body.size(); ++atom) {
        if (is_input(body[atom]))
            continue;
        Real share = 1;
        if (two && and_ == And::min)
            share = v[atom] < v[1 - atom] ? Real(1) : v[atom] == v[1 - atom] ? Real(0.5) : Real(0);
        else if (two && and_ == And::product)
            share = v[1 - atom];
        d_before_[static_cast<std::size_t>(body[atom] - inputs_) * area() +
                  static_cast<std::size_t>(place(atom))] += share * down;
    }
}

template <class Real>
void LriInference<Real>::backward(std::vector<Real>& d_scores, const std::vector<Real>& d_target) {
    d_scores.assign(scores_->size(), Real(0));
    const std::size_t all = static_cast<std::size_t>(intensional_) * area();
    d_values_.assign(all, Real(0));
    const auto across = [&](int p) { return arity_[static_cast<std::size_t>(p)] == 2 ? n_ : 1; };
    const auto down = [&](int p) { return arity_[static_cast<std::size_t>(p)] == 0 ? 1 : n_; };
    const int last = predicates_ - 1;
    for (int x = 0; x < down(last); ++x)
        for (int y = 0; y < across(last); ++y) {
            const int cell = x * ld_ + y;
            if (value(steps_, last)[cell] <= 1)  // beyond, target() is cut off
                d_values_[static_cast<std::size_t>(intensional_ - 1) * area() +
                          static_cast<std::size_t>(cell)] =
                    d_target[static_cast<std::size_t>(x * across(last) + y)];
        }
    for (int t = steps_ - 1; t >= 0; --t) {
        d_before_.assign(all, Real(0));
        for (int p = inputs_; p < predicates_; ++p)
            for (int x = 0; x < down(p); ++x)
                for (int y = 0; y < across(p); ++y) {
                    const Real gradient = d_values_[static_cast<std::size_t>(p - inputs_) * area() +
                                                    static_cast<std::size_t>(x * ld_ + y)];
                    if (gradient != 0)
                        backward_cell(d_scores, t, p, x, y, gradient);
                }
        d_values_.swap(d_before_);
    }
}

template class LriInference<float>;
template class LriInference<double>;

}  // namespace hri::lri
