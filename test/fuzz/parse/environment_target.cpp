// The environment variable BROADLOOM_ISA of any content: base or v3 lowers the level of the processor, all else leaves
// it.
#include <broadloom/core/isa.hpp>

#include "fuzz/parse/target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using broadloom::isa;
  std::string text(reinterpret_cast<const char*>(data), size);
  text = text.substr(0, text.find('\0'));
  ::setenv("BROADLOOM_ISA", text.c_str(), 1);
  broadloom::runtime::isa_in_force = broadloom::runtime::isa_not_detected;
  const isa highest = broadloom::runtime::highest_isa();
  const isa wish = text == "base" ? isa::base : text == "v3" ? isa::v3 : highest;
  const isa level = broadloom::runtime::active_isa();
  fuzz::require(level == (wish < highest ? wish : highest), std::string("the level in force is ") + to_string(level));
  fuzz::require(broadloom::runtime::active_isa() == level, "a level is not kept");
  return 0;
}
