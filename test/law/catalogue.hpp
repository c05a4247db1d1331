// The test cases of the catalogue's laws. A file defines law::tested as its element type, then includes this.
#pragma once

#include <vector>

#include <boost/test/unit_test.hpp>

#include "law/bits.hpp"
#include "law/laws.hpp"
#include "law/pytorch_table.hpp"

namespace law {

inline const std::vector<std::vector<index>> small_extents = {{},
                                                              {0},
                                                              {1},
                                                              {2},
                                                              {3},
                                                              {7},
                                                              {8},
                                                              {9},
                                                              {15},
                                                              {16},
                                                              {17},
                                                              {31},
                                                              {33},
                                                              {63},
                                                              {64},
                                                              {65},
                                                              {127},
                                                              {129},
                                                              {513},
                                                              {1000},
                                                              {3, 5},
                                                              {17, 33},
                                                              {65, 7},
                                                              {8, 129},
                                                              {1, 64},
                                                              {64, 1},
                                                              {40, 0},
                                                              {16, 200},
                                                              {2, 3, 4},
                                                              {5, 1, 17},
                                                              {9, 16, 3},
                                                              {33, 2, 9},
                                                              {4, 130, 2},
                                                              {2, 3, 4, 5},
                                                              {3, 1, 2, 17},
                                                              {2, 2, 3, 2, 5},
                                                              {1, 3, 1, 2, 9}};

// Several blocks of every kind, the last of them not full.
inline const std::vector<std::vector<index>> large_extents = {{40001}, {233, 217}, {3, 20000}, {9001, 5}, {7, 90, 70}};

inline void require(const std::string& wrong) { BOOST_TEST(wrong.empty(), wrong); }

// Counts the shifts of T.
template <class T>
int check_shifts() {
  int shifts = 0;
  for (const function& f : catalogue<T>()) {
    if (std::string(f.name).find("_shift") == std::string::npos) continue;
    ++shifts;
    for (const bl::isa level : levels()) {
      bl::set_isa(level);
      for (const index n : {1, 2, 3, 5, 15, 16, 17, 31, 64, 65, 100, 129, 50000})
        if constexpr (requires { wrong_counts_throw<T>(f, n, bl::seq); })
          require(wrong_counts_throw<T>(f, n, bl::par.threads(2)));
    }
  }
  return shifts;
}

}  // namespace law

BOOST_AUTO_TEST_SUITE(laws)

BOOST_AUTO_TEST_CASE(the_whole_equals_its_elements_one_by_one_for_any_shape_strides_and_level) {
  const auto functions = law::catalogue<law::tested>();
  const law::levels levels;
  std::uint64_t seed = 0;
  for (const law::function& f : functions)
    for (const auto& extents : law::small_extents)
      for (int n = 0; n < law::layout_count; ++n) {
        const auto layouts = law::choose_layouts(f.arity, n);
        law::experiment<law::tested> x(f, extents, layouts, std::vector<law::index>(layouts.size()), ++seed);
        law::bl::set_isa(law::bl::isa::base);
        x.compute_expected();
        for (const law::bl::isa level : levels) {
          law::bl::set_isa(level);
          if (f.is_strip) x.compute_expected();
          law::require(x.run(1));
        }
      }
}

BOOST_AUTO_TEST_CASE(the_bits_do_not_depend_on_threads_or_on_who_runs_them) {
  const auto functions = law::catalogue<law::tested>();
  const auto before = law::rt::active_scheduler();
  std::uint64_t seed = 1000;
  int n = 0;
  for (const law::function& f : functions)
    for (const auto& extents : law::large_extents) {
      const auto layouts = law::choose_layouts(f.arity, ++n);
      law::experiment<law::tested> x(f, extents, layouts, std::vector<law::index>(layouts.size()), ++seed);
      x.compute_expected();
      law::require(x.run(1));
      for (const auto runs : {law::bl::scheduler::tbb, law::bl::scheduler::threads}) {
        law::bl::set_scheduler(runs);
        for (const int threads : {0, 1, 2, 3, 8}) law::require(x.repeat(threads));
      }
    }
  law::bl::set_scheduler(before);
}

BOOST_AUTO_TEST_CASE(contiguous_arrays_of_any_size_equal_their_elements_one_by_one) {
  const auto functions = law::catalogue<law::tested>();
  const law::levels levels;
  std::uint64_t seed = 2000;
  for (const law::function& f : functions)
    for (law::index n = 0; n < 140; ++n) {
      const std::vector<int> layouts(static_cast<std::size_t>(f.arity + 1), law::contiguous);
      law::experiment<law::tested> x(f, {n}, layouts, std::vector<law::index>(layouts.size()), ++seed);
      for (const law::bl::isa level : levels) {
        law::bl::set_isa(level);
        x.compute_expected();
        law::require(x.run(0));
      }
    }
}

BOOST_AUTO_TEST_CASE(the_bits_do_not_depend_on_where_operands_and_output_begin) {
  const auto functions = law::catalogue<law::tested>();
  const law::levels levels;
  constexpr law::index size = sizeof(law::tested);
  for (const law::function& f : functions)
    for (law::index shift = 0; shift < 64; shift += size) {
      const law::index other = (shift * 5 + size * 3) % 64, third = (shift * 3 + size) % 64;
      std::vector<law::index> shifts(static_cast<std::size_t>(f.arity), other);
      shifts[0] = shift;
      shifts.push_back(third / f.out_size * f.out_size);
      law::experiment<law::tested> x(f, {135}, std::vector<int>(shifts.size(), law::contiguous), shifts, 77);
      for (const law::bl::isa level : levels) {
        law::bl::set_isa(level);
        x.compute_expected();
        law::require(x.run(1));
      }
    }
}

BOOST_AUTO_TEST_CASE(shifts_are_of_integers_and_throw_wherever_a_count_is_wrong) {
  BOOST_TEST(law::check_shifts<law::tested>() == (law::bl::is_integer(law::bl::dtype_of<law::tested>) ? 2 : 0));
}

BOOST_AUTO_TEST_CASE(the_bits_are_those_that_were_committed) {
  law::require(law::differing_bits<law::tested>(law::catalogue<law::tested>()));
}

BOOST_AUTO_TEST_CASE(elements_are_what_pytorch_gives) {
  // PyTorch has no wider unsigned integers.
  constexpr auto type = law::bl::dtype_of<law::tested>;
  constexpr bool known = type != law::bl::dtype::u16 && type != law::bl::dtype::u32 && type != law::bl::dtype::u64 &&
                         !law::bl::is_complex(type);  // fn/complex_test has these
  if constexpr (known)
    for (const char* name : {"pointwise_cases.tsv", "extremal_cases.tsv"}) {
      int lines = 0;
      for (const std::string& difference : law::compare_table<law::tested>(name, law::catalogue<law::tested>(), lines))
        BOOST_ERROR(difference);
      BOOST_TEST(lines >= 105);
    }
}

BOOST_AUTO_TEST_SUITE_END()
