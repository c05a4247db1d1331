// The names of routes, and their count in a build for tests.
#include "route.hpp"

#if defined(BROADLOOM_COUNT_ROUTES)
#include <atomic>
#endif

namespace broadloom::runtime {

const char* to_string(route r) {
  switch (r) {
    case route::no_elements: return "no elements";
    case route::at_once: return "one call of the kernel for one vector";
    case route::one_call: return "one call of the kernel";
    case route::one_call_and_tail: return "one call of the kernel and one for the tail";
    case route::in_place: return "one call of the kernel in place";
    case route::one_function: return "one call of the function";
    case route::row_vectors: return "rows of one vector in one call";
    case route::row_by_row: return "one call for each row";
    case route::materialized_rows: return "materialized rows in one call";
    case route::on_stack: return "materialized on the stack";
    case route::barriers_on_stack: return "barriers on the stack";
    case route::barrier_in_output: return "barrier in the output";
    case route::gathered: return "gathered operands";
    case route::whole_barriers: return "whole barriers";
    case route::row_blocks: return "barriers by blocks of rows";
    case route::row_executor: return "barriers by cached rows";
    case route::row_pipeline: return "barriers by pipelined rows";
    case route::shared_stages: return "shared stages";
    case route::hoisted_part: return "hoisted part";
    case route::copied_operands: return "copied operands";
    case route::copied_result: return "copied result";
    case route::flat: return "flat blocks";
    case route::rows: return "blocks of rows";
    case route::tiles: return "tiles";
    case route::merged_rows: return "merged rows";
    case route::several_in_blocks: return "several assignments by blocks";
    case route::several_in_order: return "several assignments in order";
    case route::with_ramps:
    case route::planned: break;
  }
  return "planned";
}

#if defined(BROADLOOM_COUNT_ROUTES)
void (*route_taken)(const char*) = nullptr;

namespace {
std::atomic<int> depth = 0;
}

part_of_route::part_of_route() { ++depth; }
part_of_route::~part_of_route() { --depth; }

void took(route r) {
  if (depth == 0 && route_taken != nullptr) route_taken(to_string(r));
}
#endif

}  // namespace broadloom::runtime
