// Random tests that repeat: choices are drawn and recorded, and what fails is shrunk by replaying fewer, smaller
// choices.
//
// A fuzz program is test/fuzz/NAME_fuzz_test.cpp, an ordinary Boost test. Each of its test cases calls
//
//     fuzz::check("assign", 2000, [](fuzz::choices& c) {
//       const bl::index rows = c.extent(9), columns = c.extent(9);    // shrinks towards 0
//       const bool flipped = c.chance(4);                             // one in four; shrinks towards false
//       c.note("rows ", rows, " columns ", columns);                  // written only for the case that is reported
//       ...
//       fuzz::require(same, "element ", i, " is ", got, ", not ", wanted);
//     });
//
// A property fails when it throws, whatever it throws; Boost's own checks cannot be shrunk, so they are not used
// inside. Rules for a property:
//   - Everything random comes from the choices, in the order of the calls: the same choices give the same case.
//   - The simplest value is drawn as 0: an option list begins with the plainest option. Shrinking deletes choices and
//   makes
//     them smaller; what is missing reads as 0. So any sequence of numbers must be a case (discard() says it is not
//     one).
//   - A structure is drawn before the values, which come from one choice: auto values = c.values();
//   values.small<float>().
//   - It leaves no state behind (set_isa, set_scheduler: put back, also when it throws).
//
// Environment: BROADLOOM_FUZZ_SEED=n the first seed, 1 unless set; BROADLOOM_FUZZ_CASES=n so many cases a check, or
// BROADLOOM_FUZZ_SECONDS=s as many as fit; BROADLOOM_FUZZ_REPLAY="3 0 5" one case from its choices. `./dev fuzz` sets
// them. A report has the seed, the number of the case, the shrunk choices, their notes, and the command that repeats
// it; when the program crashes, the seed and the number of the case, which is then the first: every case has a seed of
// its own. Each check prints "fuzz NAME: n cases, seed s", which `./dev fuzz` adds up.
#pragma once

#include <unistd.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "fuzz/choices.hpp"
#include "fuzz/crash.hpp"

namespace fuzz {

namespace detail {

using sequence = std::vector<std::uint64_t>;

// Why a case fails; empty when it does not. `used` gets the choices that it made.
template <class Property>
std::string why(const Property& property, choices& c, sequence& used, bool* was_discarded = nullptr) {
  std::string reason;
  try {
    property(c);
  } catch (const discarded&) {
    if (was_discarded) *was_discarded = true;
  } catch (const std::exception& e) {
    reason = e.what();
    if (reason.empty()) reason = "an exception without a text";
  } catch (...) {
    reason = "something that is no std::exception was thrown";
  }
  used = c.drawn();
  return reason;
}

// Shorter first, then smaller.
inline bool simpler(const sequence& a, const sequence& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; }

// The simplest sequence found that still fails, within so many trials and 20 seconds.
template <class Property>
sequence shrink(const Property& property, sequence best, int trials) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  const auto exhausted = [&] { return trials <= 0 || std::chrono::steady_clock::now() > end; };
  const auto fails = [&](sequence tried) {
    if (exhausted()) return false;
    --trials;
    choices c(std::move(tried), false);
    sequence used;
    if (why(property, c, used).empty() || !simpler(used, best)) return false;
    best = std::move(used);
    return true;
  };
  for (sequence before; before != best && !exhausted();) {
    before = best;
    // Without a few of them.
    for (std::size_t length = std::max<std::size_t>(best.size() / 2, 1); length > 0; length /= 2)
      for (std::size_t first = best.size(); first-- > 0;) {
        if (first + length > best.size()) continue;
        sequence tried = best;
        const auto at = tried.begin() + static_cast<std::ptrdiff_t>(first);
        tried.erase(at, at + static_cast<std::ptrdiff_t>(length));
        fails(std::move(tried));
      }
    // Each as small as it can be.
    for (std::size_t i = 0; i < best.size(); ++i) {
      if (best[i] == 0) continue;
      sequence tried = best;
      tried[i] = 0;
      if (fails(tried)) continue;
      for (std::uint64_t low = 0; i < best.size() && low + 1 < best[i] && !exhausted();) {
        const std::uint64_t middle = low + (best[i] - low) / 2;
        tried = best;
        tried[i] = middle;
        if (!fails(tried)) low = middle;
      }
      // A count with one of what it counts.
      for (std::size_t j = i + 1; j < std::min(best.size(), i + 17); ++j) {
        if (best[i] == 0) break;
        tried = best;
        --tried[i];
        tried.erase(tried.begin() + static_cast<std::ptrdiff_t>(j));
        if (fails(std::move(tried))) --j;
      }
    }
  }
  return best;
}

inline std::string joined(const sequence& list) {
  std::string all;
  for (const std::uint64_t x : list) all += (all.empty() ? "" : " ") + std::to_string(x);
  return all;
}

inline std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* set = std::getenv(variable);
  return set && *set ? std::strtoull(set, nullptr, 0) : otherwise;
}

// The program as it was called, for the command that repeats a case.
inline std::string program() {
  char path[4096];
  const ssize_t n = readlink("/proc/self/exe", path, sizeof path);
  if (n <= 0) return "the program";
  std::string name(path, static_cast<std::size_t>(n));
  char here[4096];
  const std::string folder = getcwd(here, sizeof here) ? std::string(here) + "/" : "";
  return !folder.empty() && name.rfind(folder, 0) == 0 ? name.substr(folder.size()) : name;
}

}  // namespace detail

// Runs a property on `cases` cases, or as the environment says; throws failure with the report of the first that fails.
// The title is the name of the test case. A case takes a few milliseconds at most; the default budget of a check a
// second or two.
template <class Property>
void check(const char* title, std::uint64_t cases, const Property& property) {
  using clock = std::chrono::steady_clock;
  const std::uint64_t seed = detail::number_from("BROADLOOM_FUZZ_SEED", 1);
  const std::uint64_t seconds = detail::number_from("BROADLOOM_FUZZ_SECONDS", 0);
#if defined(BROADLOOM_ADDRESS_SANITIZER)
  cases = (cases + 3) / 4;  // each takes three times as long
#endif
  cases = detail::number_from("BROADLOOM_FUZZ_CASES", cases);
  detail::sequence used;

  const auto report = [&](const detail::sequence& choices_made, const std::string& where) {
    choices c(choices_made, true);
    std::string reason = detail::why(property, c, used);
    if (reason.empty())
      reason = "(it does not fail when it is repeated: something outside of the choices plays a part)";
    throw failure(text("fuzz ", title, " fails", where, ":\n  ", reason, "\n", c.notes(),
                       "repeat it by: BROADLOOM_FUZZ_REPLAY=\"", detail::joined(used), "\" ", detail::program(),
                       " --run_test='*/", title, "'\n"));
  };

  if (const char* replay = std::getenv("BROADLOOM_FUZZ_REPLAY")) {
    std::istringstream words(replay);
    detail::sequence list;
    for (std::uint64_t x = 0; words >> x;) list.push_back(x);
    choices c(list, true);
    const std::string reason = detail::why(property, c, used);
    std::printf("fuzz %s: replayed: %s\n%s", title, reason.empty() ? "holds" : "fails", c.notes().c_str());
    std::fflush(stdout);
    if (!reason.empty()) throw failure(text("fuzz ", title, " fails: ", reason));
    return;
  }

  const detail::crash_report watched;
  const auto end = clock::now() + std::chrono::seconds(seconds);
  std::uint64_t done = 0, skipped = 0;
  for (std::uint64_t i = 0; seconds > 0 ? clock::now() < end : done < cases; ++i) {
    if (skipped > 100 + 20 * done)
      throw failure(text("fuzz ", title, ": nearly all choices are discarded, seed ", seed));
    std::snprintf(detail::crash_line, sizeof detail::crash_line,
                  "fuzz %s crashed: BROADLOOM_FUZZ_SEED=%llu BROADLOOM_FUZZ_CASES=1 %s --run_test='*/%s'\n", title,
                  static_cast<unsigned long long>(seed + i), detail::program().c_str(), title);
    choices c(random(seed + i).next());
    bool was_discarded = false;
    const std::string reason = detail::why(property, c, used, &was_discarded);
    if (!reason.empty()) {
      detail::crash_line[0] = 0;
      report(detail::shrink(property, used, 4000), text(", seed ", seed, ", case ", i));
    }
    ++(was_discarded ? skipped : done);
  }
  std::printf("fuzz %s: %llu cases, seed %llu\n", title, static_cast<unsigned long long>(done),
              static_cast<unsigned long long>(seed));
  std::fflush(stdout);
}

}  // namespace fuzz
