// The environment variable BROADLOOM_ISA of any content: a lower level's name lowers that of the processor, all else
// leaves it.
#include <broadloom/core/isa.hpp>

#include "fuzz/parse/target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using broadloom::isa;
  std::string text(reinterpret_cast<const char*>(data), size);
  text = text.substr(0, text.find('\0'));
  ::setenv("BROADLOOM_ISA", text.c_str(), 1);
  broadloom::runtime::isa_in_force = broadloom::runtime::isa_not_detected;
  const isa highest = broadloom::runtime::highest_isa();
  isa wish = highest;
  for (const isa lower : broadloom::runtime::every_isa)
    if (lower < highest && text == to_string(lower)) wish = lower;
  const isa level = broadloom::runtime::active_isa();
  fuzz::require(level == wish, std::string("the level in force is ") + to_string(level));
  fuzz::require(broadloom::runtime::active_isa() == level, "a level is not kept");
  return 0;
}
