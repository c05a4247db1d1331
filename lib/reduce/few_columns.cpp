// Columns of few elements, of an array or computed, reduced without a nest.
#include <broadloom/core/isa.hpp>

#include "../base/frame.hpp"
#include "../base/smaller.hpp"
#include "../move/vectors.hpp"
#include "../plan/contiguous_rows.hpp"
#include "contiguous.hpp"
#include "row_kernel.hpp"

namespace broadloom::runtime {

namespace {

constexpr index stack_bytes = 8192;
// Scratch memory begins with a page of its own. Lines that other data, such as columns of 64 KiB, have evicted from the
// first-level cache take up to 30 ns longer to be written if they share a page with the frames of calls.
constexpr std::size_t page_bytes = 4096;

// The exponent of a power of two, to shift by: a division takes as long as several operations on vectors.
int log2_of(index x) { return __builtin_ctzll(static_cast<unsigned long long>(x)); }
index lanes_of(index size) { return index{64} >> log2_of(size); }

// The lanes of one to four groups of rows of an array are joined as these are combined, half of them first.
bool joins_groups(const reduce_kernels& k, index rows, index columns, index size) {
  const index lanes = lanes_of(size);
  return k.groups != nullptr && columns >= lanes && rows <= 4 * lanes && (rows & (lanes - 1)) == 0;
}
void join_groups(const reduce_kernels& k, const std::byte* x, index rows, index columns, index size, std::byte* sums,
                 std::byte* to) {
  const index groups = rows * size / 64;
  if (groups == 1) return k.lanes(x, rows, columns, to);
  k.groups(x, static_cast<int>(groups), columns, sums, to);
}

// A strip of an array's rows, combined as the elements of one column would be; `sums` has room for a row of each lane.
[[gnu::always_inline]] inline void reduce_strip_of_array(const reduce_kernels& k, const std::byte* x, index rows,
                                                         index columns, index size, std::byte* sums, std::byte* to) {
  if (joins_groups(k, rows, columns, size)) return join_groups(k, x, rows, columns, size, sums, to);
  const index lanes = lanes_of(size), there = smaller(rows, lanes), row = columns * size, line = 64 * columns;
  const index groups = rows >> log2_of(lanes), rest = rows & (lanes - 1);
  const void* const last = x + groups * line;
  if (groups < 2)
    std::memcpy(sums, x, static_cast<std::size_t>(there * row));
  else
    k.long_rows(x, groups, lanes * columns, line, sums);
  if (groups > 0 && rest > 0) k.rows(sums, sums, &last, 1, rest * columns);
  join_lanes(k, sums, lanes, there, columns, row, to);
}
// `memory`: for the lanes, 64 bytes a column, and a row for each strip if there are several.
[[gnu::noinline]] void reduce_array_strips(const reduce_kernels& k, const std::byte* x, index rows, index columns,
                                           index size, std::byte* memory, std::byte* to) {
  const index strips = divide_up(rows, strip_length), row = columns * size;
  std::byte* const partial = strips == 1 ? to : memory + 64 * columns;
  for (index i = 0; i < strips; ++i, x += strip_length * row)
    reduce_strip_of_array(k, x, smaller(strip_length, rows - i * strip_length), columns, size, memory,
                          partial + i * row);
  if (strips > 1) k.tree(partial, strips, columns, to);
}

[[gnu::noinline]] void reduce_array_columns(const reduce_kernels& k, const std::byte* x, index rows, index columns,
                                            std::byte* to, index size) {
  const index strips = divide_up(rows, strip_length), there = smaller(rows, lanes_of(size));
  const index of_lanes = (joins_groups(k, rows, columns, size) ? there / 2 : there) * columns * size;
  const index bytes = strips == 1 ? of_lanes : 64 * columns + strips * columns * size;
  if (bytes > stack_bytes) {
    const frame memory(static_cast<std::size_t>(bytes));
    return reduce_array_strips(k, x, rows, columns, size, memory.data(), to);
  }
  alignas(page_bytes) std::byte memory[stack_bytes];
  if (strips > 1)
    reduce_array_strips(k, x, rows, columns, size, memory, to);
  else
    reduce_strip_of_array(k, x, rows, columns, size, memory, to);
}

// Columns of products, squares or absolute values, which are reduced as they are computed. Either groups of as many
// rows as there are lanes are read as one sequence of whole vectors; or, where rows are whole vectors or long, row by
// row: then lanes k and k + half are joined on the way. Of many narrower rows that come from the caches behind the
// first one, prefetchers follow groups sooner: 0.6 to 0.9 of the time.
class columns_of_products {
 public:
  columns_of_products(const stage& only, const product_kernels& terms, const column_inputs& x, const reduce_kernels& k)
      : only_(only),
        terms_(terms),
        x_(x),
        k_(k),
        size_(size_of(only.type)),
        lanes_(lanes_of(size_)),
        by_rows_(
            x.columns >= (x.rows < 16 * lanes_ ? 4 : 8) * lanes_ &&
            ((x.columns & (lanes_ - 1)) == 0 || x.columns >= 12 * lanes_ || (x.shared != 0 && x.rows < 16 * lanes_))) {}

  bool works() const { return are_few() || (terms_.groups != nullptr && (by_rows_ || x_.rows >= lanes_)); }

  void operator()(std::byte* to) const {
    if (are_few()) return run_few(to);
    const index strips = divide_up(x_.rows, strip_length), of_lanes = 64 * x_.columns;
    const index bytes = room_of_groups() + of_lanes + (strips == 1 ? 0 : strips * x_.columns * size_);
    if (bytes <= stack_bytes) return run_on_stack(strips, to);
    const frame memory(static_cast<std::size_t>(bytes));
    run(strips, memory.data(), to);
  }

 private:
  // Whether columns are joined in registers: a vector of each row is read before the next ones, so all that is read
  // must be in the first-level cache. Of more rows, maxima are no faster so (Zen 3).
  bool are_few() const {
    return terms_.few != nullptr && x_.columns >= lanes_ && x_.rows <= 4 * lanes_ &&
           x_.rows * x_.columns * size_ * arrays_of(only_, x_.inputs) <= limits::reducing::cached_bytes;
  }
  void run_few(std::byte* to) const {
    const auto pitch = [&](int j) {
      return j >= only_.input_count || x_.inputs[j].advance == 0 || (x_.shared >> j & 1) != 0 ? 0 : x_.columns * size_;
    };
    terms_.few(x_.inputs[0].data, only_.input_count > 1 ? x_.inputs[1].data : nullptr, x_.rows, x_.columns, pitch(0),
               pitch(1), to);
  }

  // For the rows behind the last whole group, and for copies of a shared row.
  index room_of_groups() const {
    const int rooms = by_rows_ ? 0 : ((x_.rows & (lanes_ - 1)) != 0 ? 1 : 0) + (x_.shared != 0 ? 1 : 0);
    return rooms * 64 * x_.columns;
  }
  [[gnu::noinline]] void run_on_stack(index strips, std::byte* to) const {
    alignas(page_bytes) std::byte memory[stack_bytes];
    run(strips, memory, to);
  }
  // The first row of an input, and bytes from one to the next.
  struct rows_at {
    const std::byte* data;
    index pitch;
  };
  // A row that all rows read is written as often as there are lanes for groups.
  rows_at bind(int j, std::byte* copies) const {
    const auto* const data = static_cast<const std::byte*>(x_.inputs[j].data);
    const index row = x_.columns * size_;
    if (x_.inputs[j].advance == 0) return {data, 0};
    if ((x_.shared >> j & 1) == 0) return {data, row};
    if (by_rows_) return {data, 0};
    for (index l = 0; l < lanes_; ++l) std::memcpy(copies + l * row, data, static_cast<std::size_t>(row));
    return {copies, 0};
  }
  // `memory`: the room of groups, the lanes, and a row for each strip if there are several.
  void run(index strips, std::byte* memory, std::byte* to) const {
    const index row = x_.columns * size_;
    std::byte *const sums = memory + room_of_groups(), *const copies = sums - 64 * x_.columns;
    std::byte* const partial = strips == 1 ? to : sums + 64 * x_.columns;
    rows_at x = bind(0, copies), y = only_.input_count > 1 ? bind(1, copies) : rows_at{nullptr, 0};
    for (index i = 0; i < strips; ++i) {
      const index n = smaller(strip_length, x_.rows - i * strip_length);
      index there = smaller(n, lanes_), lanes = lanes_;
      if (by_rows_) {
        there = terms_.columns(x.data, y.data, n, x_.columns, x.pitch, y.pitch, sums);
        if (n >= lanes_) lanes = there;
      } else
        add_groups(x, y, n, memory, sums);
      join_lanes(k_, sums, lanes, there, x_.columns, row, partial + i * row);
      x.data = moved(x.data, strip_length * x.pitch);
      y.data = moved(y.data, strip_length * y.pitch);
    }
    if (strips > 1) k_.tree(partial, strips, x_.columns, to);
  }
  void add_groups(const rows_at& x, const rows_at& y, index rows, std::byte* scratch, std::byte* sums) const {
    const index groups = rows >> log2_of(lanes_), rest = rows & (lanes_ - 1);
    const index x_group = x.pitch << log2_of(lanes_), y_group = y.pitch << log2_of(lanes_);
    if (groups > 0) terms_.groups(x.data, y.data, groups, lanes_ * x_.columns, x_group, y_group, sums);
    if (rest > 0)
      add_rest(moved(x.data, groups * x_group), moved(y.data, groups * y_group), rest * x_.columns,
               groups > 0 ? scratch : sums, sums);
  }
  [[gnu::noinline]] void add_rest(const std::byte* x, const std::byte* y, index n, std::byte* terms,
                                  std::byte* sums) const {
    const slot here[] = {{x, -1}, {y, only_.input_count > 1 && x_.inputs[1].advance == 0 ? 0 : -1}};
    run_disjoint(only_, here, terms, n, static_cast<int>(active_isa()));
    const void* const from = terms;
    if (terms != sums) k_.rows(sums, sums, &from, 1, n);
  }

  const stage& only_;
  const product_kernels& terms_;
  const column_inputs& x_;
  const reduce_kernels& k_;
  const index size_, lanes_;  // lanes: a power of two
  const bool by_rows_;
};

// The columns of a strip of rows: row i is combined into lane i modulo the number of lanes, which are as many as 64
// bytes of results. The lanes are stored as rows, one after the other; so a group of as many rows is combined with them
// element by element. Integers that are widened need one lane and one strip; if a row does not fill a vector, as few
// lanes as do.
class columns_strip {
 public:
  columns_strip(const stage& only, const row_reduce_kernel* rows, reduction how, const column_inputs& x,
                const reduce_kernels& k, accuracy maths)
      : only_(only),
        x_(x),
        k_(k),
        level_(static_cast<int>(active_isa())),
        size_(size_of(only_.type)),
        widening_(find_columns_of_integers(how)),
        widens_(widening_ != nullptr || has_widening_kernel(rows)),
        vector_(widening_ != nullptr ? lanes_of(size_of(only_.input_types[0]))
                : widens_            ? rows->lanes[level_]
                                     : lanes_of(size_)),
        lanes_(widens_ ? lanes_of_integers() : vector_),
        lanes_log_(log2_of(lanes_)),
        group_(lanes_ * x.columns),
        strip_(widens_ ? x.rows : strip_length),
        rows_(rows),
        kernel_(find_kernel()),
        maths_(maths) {}

  reduction_input input() const {
    if (x_.rows < lanes_) return reduction_input::scratch;
    if (widening_ != nullptr) return reduction_input::widened;
    return kernel_ != nullptr || widens_ ? reduction_input::kernel : reduction_input::scratch;
  }

  void operator()(std::byte* to) {
    const std::size_t own = own_bytes(), computed = own + scratch_size(), copies = computed + place_bytes();
    const std::size_t bytes = copies + copy_bytes();
    if (bytes <= static_cast<std::size_t>(stack_bytes)) return run_on_stack(own, copies, to);
    const frame memory(bytes);
    run(memory.data(), own, copies, to);
  }

 private:
  static constexpr index few_rows = 16;          // are evaluated sooner than they are cut into groups
  static constexpr index scratch_bytes = 16384;  // with what it is added to it stays in the first-level cache
  [[gnu::noinline]] void run_on_stack(std::size_t own, std::size_t copies, std::byte* to) {
    alignas(page_bytes) std::byte memory[stack_bytes];
    run(memory, own, copies, to);
  }
  index count_strips() const { return widens_ ? 1 : divide_up(x_.rows, strip_length); }
  // The lanes, and the results of strips if there are several; then scratch for what is evaluated before it is reduced:
  // up to eight groups if all is, else the rows behind the last whole group.
  std::size_t own_bytes() const {
    if (lanes_ == 1) return 0;
    const index strips = count_strips();
    const auto bytes = static_cast<std::size_t>(group_ * size_ + (strips == 1 ? 0 : strips * x_.columns * size_));
    return bytes < 2048 ? (bytes + 63) & ~std::size_t{63} : in_half_pages(bytes);
  }
  std::size_t scratch_size() const {
    if (lanes_ == 1 || x_.rows < lanes_) return 0;
    const index groups = kernel_ == nullptr && !widens_  ? smaller(are_sequences() ? 64 : 8, x_.rows >> lanes_log_)
                         : (x_.rows & (lanes_ - 1)) != 0 ? 1
                                                         : 0;
    return static_cast<std::size_t>(smaller(scratch_bytes, groups * group_ * size_));
  }
  // Whether lanes lie where a load of the kernel does not wait for a store shortly before it: see in_half_pages(). Such
  // loads are up to a quarter of a page behind the store's place in theirs.
  bool is_placed() const { return kernel_ != nullptr && lanes_ > 1 && group_ * size_ >= 2048; }
  std::size_t place_bytes() const { return is_placed() ? page_bytes : 0; }
  index place_of_lanes(const std::byte* memory) const {
    constexpr index zone = 256, zones = static_cast<index>(page_bytes) / zone;
    const auto offset_in_page = [](const void* x) {
      return static_cast<index>(reinterpret_cast<std::uintptr_t>(x) % page_bytes);
    };
    const index groups = smaller(4, (x_.rows + lanes_ - 1) >> lanes_log_), page = static_cast<index>(page_bytes);
    unsigned taken = 0;
    for (int j = 0; j < only_.input_count; ++j)
      for (index g = 0; g < groups && in_[j].element != 0; ++g)
        taken |= 3U << ((offset_in_page(moved(in_[j].data, g * in_[j].group)) + page - offset_in_page(memory)) / zone %
                        zones);
    taken |= taken >> zones;
    index free = 0;
    while (free < zones && (taken >> free & 1) != 0) ++free;
    return free % zones * zone;
  }

  // `memory`: `own` bytes for the lanes, then scratch; copies are so many bytes from its beginning.
  void run(std::byte* memory, std::size_t own, std::size_t copies, std::byte* to) {
    const index strips = count_strips(), row = x_.columns * size_;
    bind(memory + copies);
    if (lanes_ == 1) {
      own_ = to;
      return widen(x_.rows);
    }
    own_ = memory + (is_placed() ? place_of_lanes(memory) : 0);
    scratch_ = own_ + own;
    std::byte* const partial = own_ + group_ * size_;
    for (index i = 0; i < strips; ++i) {
      const index n = smaller(strip_, x_.rows - i * strip_);
      index there = find_lanes(n), lanes = lanes_;
      for (; lanes * size_ > 64; there = smaller(there, lanes)) {
        lanes /= 2;
        const void* const upper = own_ + lanes * row;
        if (there > lanes) k_.rows(own_, own_, &upper, 1, (there - lanes) * x_.columns);
      }
      join_lanes(k_, own_, lanes, there, x_.columns, row, strips == 1 ? to : partial + i * row);
      for (int j = 0; j < only_.input_count; ++j) in_[j].data = moved(in_[j].data, strip_ * in_[j].row);
    }
    if (strips > 1) k_.tree(partial, strips, x_.columns, to);
  }

  // What adds up columns of arrays while it widens them; else null.
  widening_columns* find_columns_of_integers(reduction how) const {
    for (int j = 0; j < only_.input_count; ++j)
      if (x_.inputs[j].advance == 0 || (x_.shared >> j & 1) != 0) return nullptr;
    return find_widening_kernels(how, only_, active_isa()).columns;
  }

  // Kernels take vectors that lie an even number of bytes apart: several rows of an odd number go together.
  bool has_odd_rows() const {
    for (int j = 0; j < only_.input_count; ++j)
      if (x_.inputs[j].advance != 0 && x_.columns * size_of(only_.input_types[j]) % 2 != 0) return true;
    return false;
  }
  bool has_widening_kernel(const row_reduce_kernel* rows) const {
    return has_row_kernel(rows, active_isa()) && rows->widens &&
           (x_.rows >= few_rows || x_.columns < rows->lanes[level_] || !has_odd_rows());
  }
  // Rows of few columns go in groups of whole vectors; if that leaves many rows over, in the smallest groups that fill
  // a vector. At least four lanes are joined.
  index lanes_of_integers() const {
    if (x_.columns >= vector_ && (widening_ != nullptr || !has_odd_rows())) return 1;
    const bool leaves_much =
        vector_ >= few_rows && x_.rows >= few_rows && x_.rows < 8 * vector_ && x_.rows * x_.columns >= 4 * vector_;
    index lanes = x_.columns < vector_ && !leaves_much ? vector_ : 4;
    while (lanes * x_.columns < vector_) lanes *= 2;
    return lanes;
  }
  row_kernel_call* find_kernel() const {
    return rows_ == nullptr || rows_->widens || only_.code->lanes[level_] != lanes_ ? nullptr : rows_->run[level_];
  }

  // An input, and bytes to its next element, row and group.
  struct input_at {
    const void* data;
    index element, row, group;
  };

  // A row that all rows read is written as often as there are lanes where it is short: then it is as any group.
  bool copies_shared() const { return x_.shared != 0 && lanes_ > 1 && (widens_ || x_.columns < 4 * lanes_); }
  bool reads_shared() const { return x_.shared != 0 && !copies_shared(); }
  std::size_t copy_bytes() const {
    index bytes = 0;
    for (int j = 0; j < only_.input_count && copies_shared(); ++j)
      if ((x_.shared >> j & 1) != 0) bytes += group_ * size_of(only_.input_types[j]);
    return static_cast<std::size_t>(bytes);
  }
  void bind(std::byte* copies) {
    for (int j = 0; j < only_.input_count; ++j) {
      const index size = size_of(only_.input_types[j]), row = x_.columns * size;
      if (x_.inputs[j].advance == 0) {
        in_[j] = {x_.inputs[j].data, 0, 0, 0};
        continue;
      }
      in_[j] = {x_.inputs[j].data, size, row, lanes_ * row};
      if ((x_.shared >> j & 1) == 0) continue;
      in_[j].row = in_[j].group = 0;
      if (!copies_shared()) continue;
      in_[j].data = copies;
      for (index l = 0; l < lanes_; ++l, copies += row)
        std::memcpy(copies, x_.inputs[j].data, static_cast<std::size_t>(row));
    }
  }

  // The lanes of n rows, one after the other; returns how many.
  index find_lanes(index n) const {
    const index groups = n >> lanes_log_, rest = (n - groups * lanes_) * x_.columns;
    if (groups > 0 && widens_)
      widen(groups);
    else if (groups > 0 && kernel_ == nullptr)
      add_groups(groups);
    else if (groups > 0 && reads_shared())
      for (index l = 0; l < lanes_; ++l) run_kernel_on_lane(groups, l);
    else if (groups > 0)
      run_kernel(groups, 0, x_.columns, own_);
    if (rest > 0) add_rest(groups, rest);
    return smaller(n, lanes_);
  }
  // The n elements that follow so many groups: evaluated to scratch, then combined with the lanes.
  [[gnu::noinline]] void add_rest(index groups, index n) const {
    const index most = piece(1);
    for (index i = 0; i < n; i += most) {
      const index m = smaller(most, n - i);
      std::byte* const at = groups == 0 ? own_ + i * size_ : scratch_;
      evaluate(groups, i, m, at);
      apply(at, m);
      const void* const from = scratch_;
      if (groups > 0) k_.rows(own_ + i * size_, own_ + i * size_, &from, 1, m);
    }
  }

  // How many groups are read together: one vector of each, in every input, must fit the sets of the first-level cache
  // that their addresses share.
  index band_of(index groups) const {
    constexpr index page = page_bytes, least = 4;
    if (groups <= least) return groups;
    index apart = 0;
    for (int j = 0; j < only_.input_count; ++j) apart += smaller(page, in_[j].group & -in_[j].group);
    if (groups * apart <= 2 * limits::reducing::band_bytes) return groups;
    const index fit = limits::reducing::band_bytes / apart, most = fit < least ? least : fit;
    return divide_up(groups, (groups + most / 2) / most);
  }
  // Reduces `vectors` vectors of 64 bytes of the groups, from element `first` on. The kernel reads one vector of each
  // group before the next one. Lines that lie a power of two apart share few sets of the first-level cache and must
  // stay there until then: so some groups go together.
  void run_kernel(index groups, index first, index vectors, std::byte* to, index of_shared = 0) const {
    const index band = band_of(groups);
    for (index g = 0; g < groups; g += band) {
      slot here[max_short_inputs];
      index pitch[max_short_inputs];
      alignas(64) std::byte room[max_short_inputs * row_room];
      for (int j = 0; j < only_.input_count; ++j) {
        const input_at& x = in_[j];
        const bool is_row = x.row == 0 && !copies_shared();
        here[j] = {moved(x.data, g * x.group + (is_row ? of_shared : first) * x.element),
                   x.element == 0 ? 0 : step_of_vectors(x.group)};
        pitch[j] = x.element * lanes_;
      }
      const index n = smaller(band, groups - g) * lanes_;
      if (g == 0)
        kernel_(here, {pitch, vectors, n, k_.identity, 0, room, to, 64});
      else
        kernel_(here, {pitch, vectors, n, to, 64, room, to, 64});
    }
  }
  // The sums of integers of all groups.
  void widen(index groups) const {
    auto* const to = reinterpret_cast<std::int64_t*>(own_);
    const bool has_two = only_.input_count > 1;
    if (widening_ != nullptr)
      return widening_(in_[0].data, has_two ? in_[1].data : nullptr, groups, group_, in_[0].group,
                       has_two ? in_[1].group : 0, to);
    slot here[max_short_inputs];
    index pitch[max_short_inputs];
    for (int j = 0; j < only_.input_count; ++j) {
      here[j] = {in_[j].data, -in_[j].element};
      pitch[j] = in_[j].group;
    }
    widen_columns(*rows_, only_, here, pitch, groups, group_, to);
  }
  // The last vector overlaps the one before it.
  void run_kernel_on_lane(index groups, index lane) const {
    const index first = lane * x_.columns, vectors = x_.columns / lanes_, last = x_.columns - lanes_;
    run_kernel(groups, first, vectors, own_ + first * size_);
    if (vectors * lanes_ != x_.columns) run_kernel(groups, first + last, 1, own_ + (first + last) * size_, last);
  }

  // Elements that are evaluated before they are added, of so many groups at a time.
  index piece(index groups) const { return reads_shared() ? x_.columns : scratch_bytes / (size_ * groups) & -lanes_; }
  // m elements of a group of rows from `first` on; where these are arguments of the function, apply() follows.
  void evaluate(index group, index first, index m, std::byte* to) const {
    slot here[max_short_inputs];
    for (int j = 0; j < only_.input_count; ++j) {
      const input_at& x = in_[j];
      const bool is_row = x.row == 0 && reads_shared();
      here[j] = {moved(x.data, group * x.group + (is_row ? 0 : first * x.element)), x.element == 0 ? 0 : -1};
    }
    if (x_.function == &only_) return run_strip(only_, here, to, m, maths_, nullptr, 0);
    run_disjoint(only_, here, to, m, level_);
  }
  // To m elements, if the function is one of a stage: one call for several rows.
  void apply(std::byte* to, index m) const {
    if (x_.function == nullptr || x_.function == &only_) return;
    slot argument{to, -1};
    run_strip(*x_.function, &argument, to, m, maths_, nullptr, 0);
  }
  // Groups that lie one after the other in each input: as many as scratch holds are evaluated in one call.
  bool are_sequences() const { return x_.shared == 0 && 4 * group_ * size_ <= scratch_bytes; }
  void add_sequences(index groups) const {
    const index row = group_ * size_, most = static_cast<index>(scratch_size()) / row;
    index before = 0;  // what those before have come to is the first row of scratch
    for (index g = 0; g < groups; before = 1) {
      const index some = smaller(most - before, groups - g);
      std::byte* const at = scratch_ + before * row;
      evaluate(g, 0, some * group_, at);
      apply(at, some * group_);
      g += some;
      k_.long_rows(scratch_, before + some, group_, row, g < groups ? scratch_ : own_);
    }
  }
  void add_groups(index groups) const {
    if (groups > 3 && are_sequences()) return add_sequences(groups);
    const index fit = reads_shared() ? scratch_bytes / (x_.columns * size_) : 8;
    const index together = smaller(smaller(8, fit), groups), most = piece(together);
    for (index i = 0; i < group_; i += most) {
      const index m = smaller(most, group_ - i);
      std::byte* const to = own_ + i * size_;
      for (index g = 0; g < groups; g += together) {
        const index some = smaller(together, groups - g);
        std::byte* const at = g == 0 && some == 1 ? to : scratch_;
        const void* rows[8];
        for (index k = 0; k < some; ++k) {
          rows[k] = at + k * m * size_;
          evaluate(g + k, i, m, at + k * m * size_);
        }
        apply(at, some * m);
        if (g > 0)
          k_.rows(to, to, rows, static_cast<int>(some), m);
        else if (some > 1)
          k_.rows(to, rows[0], rows + 1, static_cast<int>(some) - 1, m);
      }
    }
  }

  const stage& only_;
  const column_inputs& x_;
  const reduce_kernels& k_;
  const int level_;
  const index size_;
  widening_columns* const widening_;
  const bool widens_;
  const index vector_, lanes_;  // powers of two
  const int lanes_log_;
  const index group_, strip_;  // elements of a row for each lane; rows
  const row_reduce_kernel* const rows_;
  row_kernel_call* const kernel_;
  const accuracy maths_;
  std::byte *own_ = nullptr, *scratch_ = nullptr;
  input_at in_[max_short_inputs];
};

// The kernels for columns, where partial results are results; else null.
inline const reduce_kernels* find_columns(reduction how, dtype type) {
  const reduce_kernels* const k = find_kernels(how, type, active_isa());
  return k != nullptr && k->long_rows != nullptr ? k : nullptr;
}

[[gnu::noinline]] void reduce_computed_columns(const stage& only, const row_reduce_kernel* rows, reduction how,
                                               const column_inputs& x, const reduce_kernels& k, accuracy maths,
                                               void* to, reduction_plan* plan) {
  columns_strip strip(only, rows, how, x, k, maths);
  if (plan == nullptr)
    strip(static_cast<std::byte*>(to));
  else
    *plan = plan_of({reduction_loops::columns, strip.input()}, x.columns, x.rows);
}

// Columns of a stage's results.
void reduce_stage_columns(const stage& only, const row_reduce_kernel* rows, reduction how, const column_inputs& x,
                          const reduce_kernels& k, void* to, reduction_plan* plan) {
  auto* const out = static_cast<std::byte*>(to);
  reduction_input input = reduction_input::memory;
  if (only.copies) {
    if (plan == nullptr)
      return reduce_array_columns(k, static_cast<const std::byte*>(x.inputs[0].data), x.rows, x.columns, out,
                                  size_of(only.type));
  } else {
    const columns_of_products products(only, find_products(how, only, x.inputs, active_isa()), x, k);
    if (!products.works()) return reduce_computed_columns(only, rows, how, x, k, accuracy::accurate, to, plan);
    if (plan == nullptr) return products(out);
    input = reduction_input::products;
  }
  *plan = plan_of({reduction_loops::columns, input}, x.columns, x.rows);
}

}  // namespace

namespace {

[[gnu::noinline]] bool reduce_leaves_of_columns(const source& s, const leaf_array* leaves, index rows, index columns,
                                                void* to, reduction_plan* plan, const reduce_kernels& k) {
  column_inputs x;
  if (!bind_columns(s, leaves, rows, columns, x)) return false;
  reduce_stage_columns(s.code->stages[0], s.rows, s.how, x, k, to, plan);
  return true;
}

}  // namespace

bool reduce_columns(const source& s, const leaf_array* leaves, index rows, index columns, void* to,
                    reduction_plan* plan) {
  const stage& only = s.code->stages[0];
  if (only.kind != stage_kind::compute || !are_few_columns(rows, columns)) return false;
  const reduce_kernels* const k = find_columns(s.how, only.type);
  if (k == nullptr) return false;
  if (!only.copies) return reduce_leaves_of_columns(s, leaves, rows, columns, to, plan, *k);
  const leaf_array& x = leaves[only.inputs[0]];
  if (x.from != nullptr || !has_all_elements(x, s)) return false;
  if (plan != nullptr)
    *plan = plan_of({reduction_loops::columns, reduction_input::memory}, columns, rows);
  else
    reduce_array_columns(*k, static_cast<const std::byte*>(x.data), rows, columns, static_cast<std::byte*>(to),
                         size_of(only.type));
  return true;
}

void reduce_dense_columns(const stage& only, const row_reduce_kernel* rows, reduction how, const column_inputs& x,
                          const reduce_kernels& k, void* to) {
  reduce_stage_columns(only, rows, how, x, k, to, nullptr);
}

bool reduce_function_columns(const source& s, const leaf_array* leaves, accuracy maths, void* to,
                             reduction_plan* plan) {
  column_inputs x;
  const stage& first = s.code->stages[0];
  if (!bind_columns(s, leaves, x) || x.function == nullptr || x.function->type != first.type) return false;
  const reduce_kernels* const k = find_columns(s.how, first.type);
  if (k == nullptr) return false;
  if (to != nullptr || plan != nullptr) reduce_computed_columns(first, s.rows, s.how, x, *k, maths, to, plan);
  return true;
}

}  // namespace broadloom::runtime
