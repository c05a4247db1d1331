// Sizes that follow from the machine: its caches, and how long it takes to wake a thread.
#include <broadloom/eval/tuning.hpp>

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "control.hpp"
#include "limits.hpp"
#include "scheduler_work.hpp"
#include "tuned.hpp"

namespace broadloom {

namespace runtime {

namespace {

constexpr index kibibyte = 1024, mebibyte = 1024 * kibibyte;
constexpr int count = static_cast<int>(tuned::count);

struct named_size {
  const char* name;
  index tuning::* member;
};
constexpr named_size sizes[count] = {{"serial_ns", &tuning::serial_ns},
                                     {"serial_bytes", &tuning::serial_bytes},
                                     {"row_bytes", &tuning::row_bytes},
                                     {"block_bytes", &tuning::block_bytes},
                                     {"streamed_bytes", &tuning::streamed_bytes},
                                     {"tile_bytes", &tuning::tile_bytes},
                                     {"packed_elements", &tuning::packed_elements},
                                     {"merged_elements", &tuning::merged_elements}};

// 0: not known yet.
constinit std::atomic<index> in_force[count]{};
constinit std::atomic<index> measured_wake{0};
constinit std::atomic<bool> measuring{false};
// Where the processors were busy, as they are while a BLAS whose threads wait for work by spinning has just been
// loaded, the time to wake a thread is measured again, so many times, after so long.
constexpr int most_tries = 4;
constexpr std::chrono::milliseconds between_tries{200};
constinit std::atomic<int> tries{0};
constinit std::atomic<std::chrono::steady_clock::rep> next_try{0};

#if defined(_SC_LEVEL1_DCACHE_SIZE)
index cache(int name) noexcept {
  const long bytes = sysconf(name);
  return bytes > 0 ? bytes : 0;
}
index first_cache() noexcept { return cache(_SC_LEVEL1_DCACHE_SIZE); }
index second_cache() noexcept { return cache(_SC_LEVEL2_CACHE_SIZE); }
index last_cache() noexcept { return cache(_SC_LEVEL3_CACHE_SIZE); }
index second_cache_ways() noexcept { return cache(_SC_LEVEL2_CACHE_ASSOC); }
#else
index second_cache_ways() noexcept { return 0; }
index first_cache() noexcept { return 0; }
index second_cache() noexcept { return 0; }
index last_cache() noexcept { return 0; }
#endif

// From handing out work until another thread does it.
struct wake_test {
  using clock = std::chrono::steady_clock;
  static constexpr index too_long = 200'000;  // nanoseconds: the processors are busy, and nothing is learnt
  clock::time_point begun;
  std::atomic<int> arrived{0};
  std::atomic<index> took{0};

  index since() const { return (clock::now() - begun) / std::chrono::nanoseconds(1); }
  void run(index) {
    if (arrived.fetch_add(1) > 0) {
      took.store(since());
      return;
    }
    while (took.load(std::memory_order_relaxed) == 0 && since() < too_long) {
    }
    arrived.store(-1000);  // whoever comes later is the thread that has waited, or too late
  }
  static void body(void* of, index first, index last) {
    for (index i = first; i < last; ++i) static_cast<wake_test*>(of)->run(i);
  }
};

index one_wake() {
  wake_test test;
  test.begun = wake_test::clock::now();
#ifndef BROADLOOM_WITHOUT_TBB
  if (active_scheduler() == scheduler::tbb)
    parallel_for_tbb(2, 2, &wake_test::body, &test);
  else
#endif
    parallel_for_threads(2, 2, &wake_test::body, &test);
  return test.took.load();
}

// The median of a few wakings; 0 if the other processors are busy, or there are none.
index measure_wake() noexcept {
  if (max_threads() < 2) return 0;
  constexpr int times = 7;
  index all[times];
  int got = 0;
  try {
    one_wake();  // makes the threads
    for (int missed = 0; got < times && missed < 2;) {
      const index t = one_wake();
      if (t > 0)
        all[got++] = t;
      else
        ++missed;
    }
  } catch (...) {  // no memory for threads: evaluations will say so
    return 0;
  }
  if (got < times / 2) return 0;
  std::nth_element(all, all + got / 2, all + got);
  return all[got / 2];
}

// Threads that were just busy wake faster than those that sleep: no less than the usual.
constexpr index usual_serial_ns = 20'000, least_serial_ns = 20'000, most_serial_ns = 80'000;

// Two threads save at most half of the work: four times what it takes to wake one is worth the trouble.
index serial_ns_of(index wake) noexcept {
  return wake == 0 ? usual_serial_ns : std::clamp(4 * wake, least_serial_ns, most_serial_ns);
}

index from_machine(tuned which) noexcept {
  switch (which) {
    case tuned::serial_bytes: return 128 * kibibyte;
    case tuned::row_bytes: {
      const index l1 = first_cache();
      return l1 == 0 ? 36 * kibibyte : std::clamp(l1 + l1 / 8, 18 * kibibyte, 144 * kibibyte);
    }
    case tuned::block_bytes: {
      const index l2 = second_cache();
      return l2 == 0 ? 256 * kibibyte : std::clamp(l2 / 4, 128 * kibibyte, mebibyte);
    }
    case tuned::streamed_bytes: {
      // A large last-level cache is shared with other processes: at most 48 MiB of it count, and 32 MiB beside a
      // second-level cache of less than 1 MiB: with 512 KiB (Zen 3) ordinary stores take 1.1 to 1.7 times as long from
      // there on, see docs/internals/tuning.md.
      const index l2 = second_cache(), l3 = last_cache();
      const index most = 0 < l2 && l2 < mebibyte ? 32 * mebibyte : 48 * mebibyte;
      return std::clamp(l3 + l3 / 2, 32 * mebibyte, most);
    }
    case tuned::tile_bytes:
      return second_cache_ways() >= limits::blocks::many_ways ? limits::blocks::tile_row : limits::blocks::narrow_row;
    case tuned::packed_elements: return limits::blocks::packed_elements;
    case tuned::merged_elements: return limits::blocks::merged_elements;
    case tuned::serial_ns:
    case tuned::count: break;
  }
  return usual_serial_ns;
}

// The text of BROADLOOM_TUNING: what it says, or, where that is no size, what stands in the file of that name. Lines
// that begin with # are read over, as all that is no size.
struct environment_text {
  char read[4096];
  std::string_view text;

  environment_text() noexcept {
    const char* const said = std::getenv("BROADLOOM_TUNING");
    if (said == nullptr) return;
    text = said;
    if (text.find('=') != text.npos) return;
    std::FILE* const file = std::fopen(said, "r");
    text = {read, file == nullptr ? 0 : std::fread(read, 1, sizeof read, file)};
    if (file != nullptr) std::fclose(file);
  }
};

// The value that the environment gives a size; 0 if none.
index wished(tuned which) noexcept {
  const environment_text said;
  std::string_view left = said.text;
  const std::string_view name = sizes[static_cast<int>(which)].name;
  while (!left.empty()) {
    const std::string_view one = left.substr(0, left.find_first_of(",\n"));
    left.remove_prefix(std::min(one.size() + 1, left.size()));
    if (one.size() <= name.size() || one.substr(0, name.size()) != name || one[name.size()] != '=') continue;
    index value = 0;
    const auto [end, error] = std::from_chars(one.data() + name.size() + 1, one.data() + one.size(), value);
    if (error == std::errc{} && end == one.data() + one.size() && value > 0) return value;
  }
  return 0;
}

index settle(tuned which) noexcept {
  index value = wished(which);
  if (value == 0 && which == tuned::serial_ns) {
    // One thread measures; others, and evaluations inside, use the default value meanwhile.
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    if (tries.load() > 0 && now.count() < next_try.load()) return usual_serial_ns;
    if (measuring.exchange(true)) return usual_serial_ns;
    evaluation_control* const before = control_here;
    control_here = nullptr;
    const index wake = measure_wake();
    control_here = before;
    if (wake == 0 && max_threads() > 1 && tries.load() + 1 < most_tries) {
      next_try.store((now + std::chrono::steady_clock::duration(between_tries)).count());
      tries.fetch_add(1);
      measuring.store(false);
      return usual_serial_ns;
    }
    measured_wake.store(wake);
    value = serial_ns_of(wake);
  } else if (value == 0)
    value = from_machine(which);
  index none = 0;
  auto& here = in_force[static_cast<int>(which)];
  return here.compare_exchange_strong(none, value) ? value : none;  // what another thread has set is kept
}

}  // namespace

index tuned_size(tuned which) noexcept {
  const index value = in_force[static_cast<int>(which)].load(std::memory_order_relaxed);
  return value != 0 ? value : settle(which);
}

bool stays_serial(double nanoseconds) noexcept {
  if (in_force[static_cast<int>(tuned::serial_ns)].load(std::memory_order_relaxed) == 0) [[unlikely]] {
    static const bool is_wished = wished(tuned::serial_ns) != 0;
    if (!is_wished && nanoseconds < static_cast<double>(least_serial_ns)) return true;
    if (!is_wished && nanoseconds > static_cast<double>(most_serial_ns)) return false;
  }
  return nanoseconds < static_cast<double>(tuned_size(tuned::serial_ns));
}

}  // namespace runtime

tuning current_tuning() {
  using runtime::tuned;
  tuning t{};
  for (int k = 0; k < runtime::count; ++k) t.*runtime::sizes[k].member = runtime::tuned_size(static_cast<tuned>(k));
  t.first_cache = runtime::first_cache();
  t.second_cache = runtime::second_cache();
  t.last_cache = runtime::last_cache();
  t.wake_ns = runtime::measured_wake.load();
  return t;
}

void set_tuning(const tuning& t) {
  for (const auto& s : runtime::sizes)
    if (t.*s.member < 1)
      throw std::invalid_argument(std::string("set_tuning: ") + s.name + " is " + std::to_string(t.*s.member) +
                                  "; it must be at least 1");
  for (int k = 0; k < runtime::count; ++k) runtime::in_force[k].store(t.*runtime::sizes[k].member);
}

std::ostream& operator<<(std::ostream& to, const tuning& t) {
  to << "first_cache " << t.first_cache << "\nsecond_cache " << t.second_cache << "\nlast_cache " << t.last_cache
     << "\nwake_ns " << t.wake_ns;
  for (const auto& s : runtime::sizes) to << '\n' << s.name << ' ' << t.*s.member;
  return to << '\n';
}

}  // namespace broadloom
