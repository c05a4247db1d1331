// Routes without a plan, as explain() asks for them.
#pragma once

#include <broadloom/plan/explain.hpp>
#include <broadloom/plan/unplanned.hpp>

#include "../plan/route.hpp"

namespace broadloom::runtime {

// The route by which the doors for row-major leaves run; `planned`: they bind the leaves and call assign().
route choose_unplanned(const slot* leaves, const index* extents, const void* out, const unplanned_form& form,
                       const options& how);

// Describes an evaluation that runs in one piece by this route.
explanation describe_at_once(const target_array& out, const leaf_array* leaves, int count, const program& code,
                             const options& how, route way);

}  // namespace broadloom::runtime
