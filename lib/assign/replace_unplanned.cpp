// Evaluation of row-major leaves into memory that is allocated for the result.
#include <broadloom/core/storage.hpp>
#include <broadloom/plan/problem.hpp>
#include <broadloom/plan/unplanned.hpp>
#include <broadloom/shape/shape.hpp>

namespace broadloom::runtime {

owned_elements replace_unplanned(owned_elements old, const slot* leaves, const index* extents,
                                 const unplanned_form& form, options how) {
  const index size = size_of(form.type), n = detail::checked_size(extents, form.rank);
  if (n < 0) detail::throw_size_overflow(extents, form.rank);
  const unplanned_place at = place_of(form);
  assign_fn* const assign = unplanned_assign[at.rank][at.count];
  if (old.data != nullptr && old.size == n) {
    assign(leaves, extents, old.data, form, how);
    return old;
  }
  detail::check_count(nullptr, extents, form.rank, size);
  const auto bytes = static_cast<std::size_t>(n * size);
  void* const fresh = allocate(bytes);
  try {
    assign(leaves, extents, fresh, form, how);
  } catch (...) {
    deallocate(fresh, bytes);
    throw;
  }
  deallocate(old.data, static_cast<std::size_t>(old.size * size));
  return {fresh, n};
}

}  // namespace broadloom::runtime
