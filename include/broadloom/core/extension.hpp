// One object per name: a function object declared in a low layer may be given further calls by a higher one.
#pragma once

#include <broadloom/core/compiler.hpp>

namespace broadloom::detail {

// Specialised by the higher layer: `static constexpr auto call(A&&...)` for the calls that Name is extended by.
template <class Name, class... A>
struct extension;

template <class Name, class... A>
concept extended = requires { sizeof(extension<Name, A...>); };

}  // namespace broadloom::detail
