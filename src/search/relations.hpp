// SPDX-License-Identifier: Apache-2.0
#pragma once

// Crisp relations over n constants as matrices of bits, in three layouts. A unary predicate repeats
// its value along its row, so that every predicate is one matrix; a vector is a row of n bits. Each
// layout has the same operations; bits beyond n are 0 everywhere.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace hri::search {

/// At most 8 constants: a matrix is one word, row i its byte i.
class TinyRelations {
  public:
    using Word = std::uint64_t;
    static constexpr int kMax = 8;

    explicit TinyRelations(int constants) : n_(constants), all_((Word{1} << constants) - 1) {
        for (int i = 0; i < n_; ++i)
            ones_ |= all_ << (8 * i);
    }

    int constants() const { return n_; }

    static constexpr std::size_t area() { return 1; }

    static constexpr std::size_t row_words() { return 1; }

    static void set(Word* m, int i, int j) { *m |= Word{1} << (8 * i + j); }

    void fill_row(Word* m, int i) const { *m |= all_ << (8 * i); }

    void fill(Word* m) const { *m = ones_; }

    void fill_vector(Word* v) const { *v = all_; }

    static bool any_in(const Word* v) { return *v != 0; }

    static bool has(const Word* v, int i) { return ((*v >> i) & 1U) != 0; }

    /// v[j] = m[i,j]
    static void row(Word* v, const Word* m, int i) { *v = (*m >> (8 * i)) & 0xFF; }

    /// out[i,j] = not in[i,j]
    void complement(Word* out, const Word* in) const { *out = ones_ & ~*in; }

    /// out[j,i] = in[i,j]
    static void transpose(Word* out, const Word* in) {
        Word m = *in;
        Word t = (m ^ (m >> 7)) & 0x00AA00AA00AA00AAU;
        m ^= t ^ (t << 7);
        t = (m ^ (m >> 14)) & 0x0000CCCC0000CCCCU;
        m ^= t ^ (t << 14);
        t = (m ^ (m >> 28)) & 0x00000000F0F0F0F0U;
        *out = m ^ t ^ (t << 28);
    }

    static void meet(Word* out, const Word* left, const Word* right) { *out = *left & *right; }

    /// out[x,y] = some z has left[x,z] and right[z,y]
    void join(Word* out, const Word* left, const Word* right) const {
        Word result = 0;
        for (int z = 0; z < n_; ++z) {
            const Word has_z = ((*left >> z) & kFirstBits) * 0xFF;
            result |= has_z & (((*right >> (8 * z)) & 0xFF) * kFirstBits);
        }
        *out = result;
    }

    /// v[i] = some j has m[i,j]
    static void rows(Word* v, const Word* m) {
        Word t = *m | ((*m >> 4) & 0x0F0F0F0F0F0F0F0FU);
        t |= (t >> 2) & 0x3F3F3F3F3F3F3F3FU;
        t |= (t >> 1) & 0x7F7F7F7F7F7F7F7FU;
        *v = ((t & kFirstBits) * 0x0102040810204080U) >> 56;
    }

    /// v[j] = some i has m[i,j]
    static void columns(Word* v, const Word* m) {
        Word t = *m | (*m >> 32);
        t |= t >> 16;
        *v = (t | (t >> 8)) & 0xFF;
    }

    static void diagonal(Word* v, const Word* m) {
        const Word t = *m & kDiagonal;
        columns(v, &t);
    }

    /// out[i,j] = v[i]
    void spread(Word* out, const Word* v) const {
        const Word t = (*v * kFirstBits) & kDiagonal;  // one bit a byte at most
        const Word set = (((t & ~kLastBits) + ~kLastBits) | t) & kLastBits;
        *out = ((set >> 7) * 0xFF) & ones_;
    }

    /// out[i,j] = v[j]
    void repeat(Word* out, const Word* v) const { *out = (*v * kFirstBits) & ones_; }

    /// out[i,j] = v[i] where i = j, else 0
    static void on_diagonal(Word* out, const Word* v) { *out = (*v * kFirstBits) & kDiagonal; }

  private:
    static constexpr Word kFirstBits = 0x0101010101010101U;
    static constexpr Word kLastBits = 0x8080808080808080U;
    static constexpr Word kDiagonal = 0x8040201008040201U;

    int n_;
    Word all_;
    Word ones_ = 0;
};

/// At most 16 constants: 16 rows of 16 bits, two vector registers.
class SmallRelations {
  public:
    using Word = std::uint16_t;
    static constexpr int kMax = 16;

    explicit SmallRelations(int constants)
        : n_(constants), all_(static_cast<Word>((1U << static_cast<unsigned>(constants)) - 1)) {}

    int constants() const { return n_; }

    static constexpr std::size_t area() { return 16; }

    static constexpr std::size_t row_words() { return 1; }

    static void set(Word* m, int i, int j) { m[i] = static_cast<Word>(m[i] | bit(j)); }

    void fill_row(Word* m, int i) const { m[i] = all_; }

    void fill(Word* m) const {
        for (int i = 0; i < 16; ++i)
            m[i] = i < n_ ? all_ : Word{0};
    }

    void fill_vector(Word* v) const { *v = all_; }

    static bool any_in(const Word* v) { return *v != 0; }

    static bool has(const Word* v, int i) { return (*v & bit(i)) != 0; }

    static void row(Word* v, const Word* m, int i) { *v = m[i]; }

    void complement(Word* out, const Word* in) const {
        for (int i = 0; i < 16; ++i)
            out[i] = i < n_ ? static_cast<Word>(all_ & ~in[i]) : Word{0};
    }

    void transpose(Word* out, const Word* in) const {
        Half low{};
        Half high{};
        for (int i = 0; i < n_; ++i) {
            const Half row = Half{} + in[i];
            const Half mark = Half{} + bit(i);
            low |= ((row & kLow) == kLow) & mark;
            high |= ((row & kHigh) == kHigh) & mark;
        }
        store(out, low, high);
    }

    static void meet(Word* out, const Word* left, const Word* right) {
        store(out, load(left) & load(right), load(left + 8) & load(right + 8));
    }

    void join(Word* out, const Word* left, const Word* right) const {
        const Half left_low = load(left);
        const Half left_high = load(left + 8);
        Half low{};
        Half high{};
        for (int z = 0; z < n_; ++z) {
            const Half z_bit = Half{} + bit(z);
            const Half reached = Half{} + right[z];
            low |= ((left_low & z_bit) == z_bit) & reached;
            high |= ((left_high & z_bit) == z_bit) & reached;
        }
        store(out, low, high);
    }

    static void rows(Word* v, const Word* m) {
        unsigned found = 0;
        for (int i = 0; i < 16; ++i)
            found |= (m[i] != 0 ? 1U : 0U) << i;
        *v = static_cast<Word>(found);
    }

    static void columns(Word* v, const Word* m) {
        const Half both = load(m) | load(m + 8);
        unsigned found = 0;
        for (int i = 0; i < 8; ++i)
            found |= both[i];
        *v = static_cast<Word>(found);
    }

    static void diagonal(Word* v, const Word* m) {
        Word masked[16];
        store(masked, load(m) & kLow, load(m + 8) & kHigh);
        columns(v, masked);
    }

    void spread(Word* out, const Word* v) const {
        const Half value = Half{} + *v;
        const Half all = Half{} + all_;
        store(out, ((value & kLow) == kLow) & all, ((value & kHigh) == kHigh) & all);
    }

    void repeat(Word* out, const Word* v) const {
        for (int i = 0; i < 16; ++i)
            out[i] = i < n_ ? *v : Word{0};
    }

    static void on_diagonal(Word* out, const Word* v) {
        const Half value = Half{} + *v;
        store(out, value & kLow, value & kHigh);
    }

  private:
    using Half [[gnu::vector_size(16)]] = Word;
    static constexpr Half kLow = {1, 2, 4, 8, 16, 32, 64, 128};
    static constexpr Half kHigh = {1U << 8,  1U << 9,  1U << 10, 1U << 11,
                                   1U << 12, 1U << 13, 1U << 14, 1U << 15};

    static Word bit(int i) { return static_cast<Word>(1U << static_cast<unsigned>(i)); }

    static Half load(const Word* from) {
        Half half;
        std::memcpy(&half, from, sizeof half);
        return half;
    }

    static void store(Word* to, Half low, Half high) {
        std::memcpy(to, &low, sizeof low);
        std::memcpy(to + 8, &high, sizeof high);
    }

    int n_;
    Word all_;
};

/// Any number of constants: n rows of as many words as it takes.
class LargeRelations {
  public:
    using Word = std::uint64_t;

    explicit LargeRelations(int constants)
        : n_(static_cast<std::size_t>(constants)),
          words_(std::max((n_ + 63) / 64, std::size_t{1})) {
        all_.assign(words_, 0);
        for (std::size_t j = 0; j < n_; ++j)
            all_[j / 64] |= Word{1} << (j % 64);
    }

    int constants() const { return static_cast<int>(n_); }

    std::size_t area() const { return n_ * words_; }

    std::size_t row_words() const { return words_; }

    void set(Word* m, int i, int j) const {
        set_bit(m + static_cast<std::size_t>(i) * words_, static_cast<std::size_t>(j));
    }

    void fill_row(Word* m, int i) const {
        std::copy(all_.begin(), all_.end(), m + static_cast<std::size_t>(i) * words_);
    }

    void fill(Word* m) const {
        for (std::size_t i = 0; i < n_; ++i)
            std::copy(all_.begin(), all_.end(), m + i * words_);
    }

    void fill_vector(Word* v) const { std::copy(all_.begin(), all_.end(), v); }

    bool any_in(const Word* v) const {
        return std::any_of(v, v + words_, [](Word w) { return w != 0; });
    }

    static bool has(const Word* v, int i) { return ((v[i / 64] >> (i % 64)) & 1U) != 0; }

    void row(Word* v, const Word* m, int i) const {
        std::copy_n(m + static_cast<std::size_t>(i) * words_, words_, v);
    }

    void complement(Word* out, const Word* in) const {
        for (std::size_t k = 0; k < area(); ++k)
            out[k] = all_[k % words_] & ~in[k];
    }

    void transpose(Word* out, const Word* in) const {
        std::fill(out, out + area(), Word{0});
        for (std::size_t i = 0; i < n_; ++i)
            each_bit(in + i * words_, [&](std::size_t j) { set_bit(out + j * words_, i); });
    }

    void meet(Word* out, const Word* left, const Word* right) const {
        for (std::size_t k = 0; k < area(); ++k)
            out[k] = left[k] & right[k];
    }

    void join(Word* out, const Word* left, const Word* right) const {
        std::fill(out, out + area(), Word{0});
        for (std::size_t x = 0; x < n_; ++x) {
            Word* to = out + x * words_;
            each_bit(left + x * words_, [&](std::size_t z) {
                const Word* from = right + z * words_;
                for (std::size_t w = 0; w < words_; ++w)
                    to[w] |= from[w];
            });
        }
    }

    void rows(Word* v, const Word* m) const {
        std::fill(v, v + words_, Word{0});
        for (std::size_t i = 0; i < n_; ++i)
            if (any_in(m + i * words_))
                set_bit(v, i);
    }

    void columns(Word* v, const Word* m) const {
        std::fill(v, v + words_, Word{0});
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t w = 0; w < words_; ++w)
                v[w] |= m[i * words_ + w];
    }

    void diagonal(Word* v, const Word* m) const {
        std::fill(v, v + words_, Word{0});
        for (std::size_t i = 0; i < n_; ++i)
            if (has_bit(m + i * words_, i))
                set_bit(v, i);
    }

    void spread(Word* out, const Word* v) const {
        for (std::size_t i = 0; i < n_; ++i)
            if (has_bit(v, i))
                std::copy(all_.begin(), all_.end(), out + i * words_);
            else
                std::fill(out + i * words_, out + (i + 1) * words_, Word{0});
    }

    void repeat(Word* out, const Word* v) const {
        for (std::size_t i = 0; i < n_; ++i)
            std::copy(v, v + words_, out + i * words_);
    }

    void on_diagonal(Word* out, const Word* v) const {
        std::fill(out, out + area(), Word{0});
        each_bit(v, [&](std::size_t i) { set_bit(out + i * words_, i); });
    }

  private:
    static void set_bit(Word* row, std::size_t j) { row[j / 64] |= Word{1} << (j % 64); }

    static bool has_bit(const Word* row, std::size_t j) {
        return ((row[j / 64] >> (j % 64)) & 1U) != 0;
    }

    template <class Visit>
    void each_bit(const Word* row, Visit visit) const {
        for (std::size_t w = 0; w < words_; ++w)
            for (Word rest = row[w]; rest != 0; rest &= rest - 1)
                visit(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
    }

    std::size_t n_;
    std::size_t words_;
    std::vector<Word> all_;
};

}  // namespace hri::search
