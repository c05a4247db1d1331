// The processes of an MPI program, counted messages between them, and errors that all of them throw together.
#pragma once

// The C++ bindings that MPI gave up want a library of their own.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include <climits>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <broadloom/core/index.hpp>
#include <broadloom/distributed/wait_until_read.hpp>

namespace broadloom::distributed {

// What all ranks throw together: arrays distributed in ways that do not go together, or the text of what one rank alone
// threw, behind its number.
class error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What this rank sent, and how often all ranks agreed that none had failed (four bytes each).
struct traffic {
  index messages = 0, bytes = 0, agreements = 0;
  friend bool operator==(const traffic&, const traffic&) = default;
};

// All ranks of an MPI communicator, by a duplicate of their own, so that no message meets one of the caller's. A copy
// is the same communicator. MPI is initialised before the first is made (or by distributed::run), and finalised after
// the last is gone. All calls come from the thread that made it.
class communicator {
 public:
  // All ranks call it.
  explicit communicator(MPI_Comm of = MPI_COMM_WORLD) : state_(std::make_shared<state>(of)) {}

  int rank() const { return state_->rank; }
  int size() const { return state_->size; }
  MPI_Comm handle() const { return state_->comm; }
  friend bool operator==(const communicator& a, const communicator& b) { return a.state_ == b.state_; }

  // What this rank sent since the communicator was made or the counts were reset.
  const traffic& counts() const { return state_->counts; }
  void reset_counts() const { state_->counts = {}; }
  // Messages of more bytes than this travel by an MPI type of their own, as a count of MPI is an int. Smaller in tests.
  void largest_count(int n) const { state_->largest = n; }
  int largest_count() const { return state_->largest; }

  // Sends bytes to rank `to`, which receives as many; both return when the memory is free again or filled.
  void send(const void* data, index bytes, int to, int tag = 0) const {
    const byte_type t(*state_, bytes);
    count(bytes);
    MPI_Send(data, t.count, t.type, to, tag, handle());
  }
  void receive(void* to, index bytes, int source, int tag = 0) const {
    const byte_type t(*state_, bytes);
    MPI_Recv(to, t.count, t.type, source, tag, handle(), MPI_STATUS_IGNORE);
  }
  // The same at once, for many partners: `wait` ends all that was begun.
  class pending;

  // A message whose length only its sender knows.
  void send(const std::vector<unsigned char>& message, int to, int tag = 0) const {
    send(message.data(), static_cast<index>(message.size()), to, tag);
  }
  std::vector<unsigned char> receive_any_length(int source, int tag = 0) const {
    MPI_Status status;
    MPI_Message message;
    MPI_Mprobe(source, tag, handle(), &message, &status);
    MPI_Count n = 0;
    MPI_Get_elements_x(&status, MPI_BYTE, &n);
    std::vector<unsigned char> all(static_cast<std::size_t>(n));
    const byte_type t(*state_, static_cast<index>(n));
    MPI_Mrecv(all.data(), t.count, t.type, &message, MPI_STATUS_IGNORE);
    return all;
  }
  // Each of two partners gets what the other has.
  std::vector<unsigned char> exchange(const std::vector<unsigned char>& message, int with, int tag = 0) const {
    const byte_type t(*state_, static_cast<index>(message.size()));
    count(static_cast<index>(message.size()));
    MPI_Request request;
    MPI_Isend(message.data(), t.count, t.type, with, tag, handle(), &request);
    std::vector<unsigned char> other = receive_any_length(with, tag);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return other;
  }

  // Returns on all ranks if `failure` is null on all; else all throw error with the text of the lowest rank that has
  // one.
  void agree(const char* failure) const {
    ++state_->counts.agreements;
    const int mine = failure != nullptr ? rank() : size();
    int first = 0;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, handle());
    if (first == size()) return;
    std::string text = failure == nullptr ? "" : failure;
    unsigned long long length = text.size();
    MPI_Bcast(&length, 1, MPI_UNSIGNED_LONG_LONG, first, handle());
    text.resize(static_cast<std::size_t>(length));
    MPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, first, handle());
    throw error("rank " + std::to_string(first) + ": " + text);
  }
  // Calls f(), which sends nothing, on all ranks; if it throws on one, all throw error with that text.
  template <class F>
  void together(const F& f) const {
    std::string failure;
    bool failed = false;
    try {
      f();
    } catch (const std::exception& e) {
      failed = true;
      failure = e.what();
    } catch (...) {
      failed = true;
      failure = "an exception that is no std::exception";
    }
    agree(failed ? failure.c_str() : nullptr);
  }

  // Throws std::logic_error where another thread calls than the one that made the communicator.
  void check_thread() const {
    if (std::this_thread::get_id() != state_->thread)
      throw std::logic_error("MPI calls come from the thread that made the communicator");
  }

 private:
  struct state {
    MPI_Comm comm = MPI_COMM_NULL;
    int rank = 0, size = 0, largest = INT_MAX;
    std::thread::id thread = std::this_thread::get_id();
    traffic counts;

    explicit state(MPI_Comm of) {
      MPI_Comm_dup(of, &comm);
      MPI_Comm_rank(comm, &rank);
      MPI_Comm_size(comm, &size);
    }
    state(const state&) = delete;
    state& operator=(const state&) = delete;
    ~state() {
      int ended = 0;
      MPI_Finalized(&ended);
      if (ended == 0) MPI_Comm_free(&comm);
    }
  };
  // So many bytes as a count and a type.
  struct byte_type {
    MPI_Datatype type = MPI_BYTE;
    int count = 0;
    bool own = false;

    byte_type(const state& s, index bytes) {
      if (bytes <= s.largest) {
        count = static_cast<int>(bytes);
        return;
      }
      const index chunks = bytes / s.largest, rest = bytes % s.largest;
      MPI_Datatype chunk, all;
      MPI_Type_contiguous(s.largest, MPI_BYTE, &chunk);
      MPI_Type_contiguous(static_cast<int>(chunks), chunk, &all);
      const int lengths[] = {1, static_cast<int>(rest)};
      const MPI_Aint places[] = {0, static_cast<MPI_Aint>(chunks * s.largest)};
      const MPI_Datatype types[] = {all, MPI_BYTE};
      MPI_Type_create_struct(2, lengths, places, types, &type);
      MPI_Type_commit(&type);
      MPI_Type_free(&chunk);
      MPI_Type_free(&all);
      count = 1;
      own = true;
    }
    byte_type(const byte_type&) = delete;
    byte_type& operator=(const byte_type&) = delete;
    ~byte_type() {
      if (own) MPI_Type_free(&type);
    }
  };
  void count(index bytes) const {
    ++state_->counts.messages;
    state_->counts.bytes += bytes;
  }

  std::shared_ptr<state> state_;
};

// Messages on their way; the end of the object waits for them.
class communicator::pending {
 public:
  explicit pending(const communicator& c) : comm_(c) {}
  pending(const pending&) = delete;
  pending& operator=(const pending&) = delete;
  ~pending() { wait(); }
  void send(const void* data, index bytes, int to, int tag = 0) {
    if (bytes == 0) return;
    const byte_type t(*comm_.state_, bytes);
    comm_.count(bytes);
    requests_.emplace_back();
    MPI_Isend(data, t.count, t.type, to, tag, comm_.handle(), &requests_.back());
  }
  void receive(void* to, index bytes, int source, int tag = 0) {
    if (bytes == 0) return;
    const byte_type t(*comm_.state_, bytes);
    requests_.emplace_back();
    MPI_Irecv(to, t.count, t.type, source, tag, comm_.handle(), &requests_.back());
  }
  void wait() {
    if (!requests_.empty()) MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
  }

 private:
  communicator comm_;
  std::vector<MPI_Request> requests_;
};

// A whole program: initialises MPI (one thread calls it), calls body(world) and finalises MPI. Returns what main()
// returns: 1 if all ranks threw an error together, which rank 0 prints. Anything else that one rank throws is printed
// by it and ends all ranks at once.
template <class Body>
int run(int& argc, char**& argv, const Body& body) {
  int provided = 0, rank = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto abort_with = [&](const char* text) {
    std::fflush(stdout);
    std::fprintf(stderr, "rank %d: %s\n", rank, text);
    std::fflush(stderr);
    detail::wait_until_read(fileno(stderr), std::chrono::seconds(2));
    MPI_Abort(MPI_COMM_WORLD, 1);
    return 1;
  };
  if (provided < MPI_THREAD_FUNNELED) return abort_with("this MPI allows no threads beside the one that calls it");
  int status = 0;
  try {
    body(communicator(MPI_COMM_WORLD));
  } catch (const error& e) {
    status = 1;
    if (rank == 0) std::fprintf(stderr, "%s\n", e.what());
  } catch (const std::exception& e) {
    return abort_with(e.what());
  } catch (...) {
    return abort_with("an exception that is no std::exception");
  }
  MPI_Finalize();
  return status;
}

}  // namespace broadloom::distributed
