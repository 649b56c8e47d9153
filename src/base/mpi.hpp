// SPDX-License-Identifier: Apache-2.0
#pragma once

// The processes of one `mpirun -n N hri ...`. A process that nobody launched so is rank 0 of 1, and
// MPI is not even started.
//
//   Communicator& ranks = Communicator::all();
//   for (int i = ranks.rank(); i < count; i += ranks.size()) ...
//   std::vector<std::string> results = ranks.gather(mine);      // at rank 0

#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace hri::base {

class Communicator {
  public:
    /// Starts MPI at the first call; only one thread may use it.
    static Communicator& all();
    /// This process without any others.
    static Communicator& alone();

    /// Where mpirun launched this process, ends it with the message: the others would wait for it
    /// for ever, and the launcher ends them. The first rank speaks first, so that what befalls all
    /// is told once. Elsewhere does nothing.
    static void give_up(const std::string& message, int code);

    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    int rank() const { return rank_; }

    int size() const { return size_; }

    bool is_first() const { return rank_ == 0; }

    /// Whoever waits for another rank while this is set, and waits in vain, ends the process with
    /// `farewell`: so the launcher reports a rank that died.
    void watch(const std::atomic<bool>* interrupt, std::string exit_message);

    /// One sum over all ranks in a fixed order: each rank adds its share to what the ranks before
    /// it have summed, and all get the result. `values` are 0 at rank 0.
    void sum_in_turn(std::span<float> values, const std::function<void()>& add);

    /// Everyone's text, by rank; empty at all ranks but the first.
    std::vector<std::string> gather(const std::string& mine);
    /// The first rank's text, everywhere.
    std::string share(const std::string& text);

  private:
    explicit Communicator(bool is_alone);
    ~Communicator();
    void send(int to, const void* data, std::size_t bytes);
    void receive(int from, void* data, std::size_t bytes);
    void send_text(int to, const std::string& text);
    std::string receive_text(int from);
    template <class Test>
    void wait(const Test& done);

    int rank_ = 0;
    int size_ = 1;
    const std::atomic<bool>* interrupt_ = nullptr;
    std::string farewell_;
};

}  // namespace hri::base
