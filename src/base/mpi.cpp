// SPDX-License-Identifier: Apache-2.0
#include "base/mpi.hpp"

#include "hri/error.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <thread>

#ifdef HRI_MPI
#include <mpi.h>
#endif

namespace hri::base {

namespace {

/// Launchers say in the environment how many processes there are, and which is which.
int from_launcher(std::initializer_list<const char*> names, int otherwise) {
    for (const char* name : names)
        if (const char* value = std::getenv(name))
            return std::atoi(value);
    return otherwise;
}

int launched_processes() { return from_launcher({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 1); }

}  // namespace

Communicator& Communicator::all() {
    static Communicator ranks(false);
    return ranks;
}

Communicator& Communicator::alone() {
    static Communicator ranks(true);
    return ranks;
}

void Communicator::give_up(const std::string& message, int code) {
    if (launched_processes() <= 1)
        return;
    if (from_launcher({"OMPI_COMM_WORLD_RANK", "PMI_RANK"}, 0) > 0)
        std::this_thread::sleep_for(std::chrono::seconds(2));
    std::fflush(stdout);
    std::fprintf(stderr, "%s\n", message.c_str());
    std::fflush(stderr);
    std::_Exit(code);
}

void Communicator::watch(const std::atomic<bool>* interrupt, std::string exit_message) {
    interrupt_ = interrupt;
    farewell_ = std::move(exit_message);
}

void Communicator::sum_in_turn(std::span<float> values, const std::function<void()>& add) {
    if (rank_ > 0)
        receive(rank_ - 1, values.data(), values.size_bytes());
    add();
    if (size_ == 1)
        return;
    const int last = size_ - 1;
    if (rank_ != last) {
        send(rank_ + 1, values.data(), values.size_bytes());
        receive(last, values.data(), values.size_bytes());
    } else {
        for (int to = 0; to < last; ++to)
            send(to, values.data(), values.size_bytes());
    }
}

std::vector<std::string> Communicator::gather(const std::string& mine) {
    if (!is_first()) {
        send_text(0, mine);
        return {};
    }
    std::vector<std::string> texts = {mine};
    for (int from = 1; from < size_; ++from)
        texts.push_back(receive_text(from));
    return texts;
}

std::string Communicator::share(const std::string& text) {
    if (!is_first())
        return receive_text(0);
    for (int to = 1; to < size_; ++to)
        send_text(to, text);
    return text;
}

void Communicator::send_text(int to, const std::string& text) {
    const std::size_t bytes = text.size();
    send(to, &bytes, sizeof bytes);
    send(to, text.data(), bytes);
}

std::string Communicator::receive_text(int from) {
    std::size_t bytes = 0;
    receive(from, &bytes, sizeof bytes);
    std::string text(bytes, '\0');
    receive(from, text.data(), bytes);
    return text;
}

#ifdef HRI_MPI

Communicator::Communicator(bool is_alone) {
    if (is_alone || launched_processes() <= 1)
        return;
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

Communicator::~Communicator() {
    if (size_ > 1)
        MPI_Finalize();
}

// A rank computes for milliseconds between messages: whoever waits leaves the core to others.
template <class Test>
void Communicator::wait(const Test& done) {
    using Clock = std::chrono::steady_clock;
    // A launcher gives the others a second between SIGTERM and SIGKILL.
    constexpr std::chrono::milliseconds kPatience(500);
    Clock::time_point since{};
    for (int tries = 0; !done(); ++tries) {
        if (tries < 200) {
            std::this_thread::yield();
            continue;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(50));
        if (interrupt_ == nullptr || !interrupt_->load())
            continue;
        const auto now = Clock::now();
        if (since == Clock::time_point{}) {
            since = now;
        } else if (now - since > kPatience) {
            std::fprintf(stderr, "hri: rank %d: another rank has died or does not answer%s%s\n",
                         rank_, farewell_.empty() ? "" : "; ", farewell_.c_str());
            std::fflush(stderr);
            std::_Exit(1);
        }
    }
}

void Communicator::send(int to, const void* data, std::size_t bytes) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, to, 0, MPI_COMM_WORLD, &request);
    wait([&] {
        int done = 0;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        return done != 0;
    });
}

void Communicator::receive(int from, void* data, std::size_t bytes) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(data, static_cast<int>(bytes), MPI_BYTE, from, 0, MPI_COMM_WORLD, &request);
    wait([&] {
        int done = 0;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        return done != 0;
    });
}

#else

Communicator::Communicator(bool is_alone) {
    if (!is_alone && launched_processes() > 1)
        throw Error("this hri was built without MPI and cannot split work over processes", {},
                    "build it where libopenmpi-dev is installed, or run it without mpirun");
}

Communicator::~Communicator() = default;

void Communicator::send(int, const void*, std::size_t) {}

void Communicator::receive(int, void*, std::size_t) {}

#endif

}  // namespace hri::base
