// Calls that tell clang what the tree that they return refers to, by BROADLOOM_LIFETIMEBOUND: it warns where a function
// returns a tree of its local arrays. The attribute would be wrong on a forwarding reference to a temporary, and clang
// looks through nested calls only from value to value. So there is a call for each way in which arguments are held: by
// reference, or by value; the concept held_otherwise is for the one that is left, where an argument moves into the
// tree. Other compilers have this one alone. Undefined again by undefine.hpp, and included several times, hence no
// guard.
#include <broadloom/core/api.hpp>

#if defined(__clang__)

#define BROADLOOM_HELD_CALLS_1(CALL, QUALIFIER, TEST, F)        \
  template <detail::referred A>                                 \
    requires TEST<F, A&>                                        \
  constexpr auto CALL(A& x BROADLOOM_LIFETIMEBOUND) QUALIFIER { \
    return detail::apply<F>(x);                                 \
  }                                                             \
  template <detail::held_by_value A>                            \
    requires TEST<F, A>                                         \
  constexpr auto CALL(A x BROADLOOM_LIFETIMEBOUND) QUALIFIER {  \
    return detail::apply<F>(static_cast<A&&>(x));               \
  }
#define BROADLOOM_HELD_CALLS_2(CALL, QUALIFIER, TEST, F)                                      \
  template <detail::referred A, detail::referred B>                                           \
    requires TEST<F, A&, B&>                                                                  \
  constexpr auto CALL(A& x BROADLOOM_LIFETIMEBOUND, B& y BROADLOOM_LIFETIMEBOUND) QUALIFIER { \
    return detail::apply<F>(x, y);                                                            \
  }                                                                                           \
  template <detail::referred A, detail::held_by_value B>                                      \
    requires TEST<F, A&, B>                                                                   \
  constexpr auto CALL(A& x BROADLOOM_LIFETIMEBOUND, B y BROADLOOM_LIFETIMEBOUND) QUALIFIER {  \
    return detail::apply<F>(x, static_cast<B&&>(y));                                          \
  }                                                                                           \
  template <detail::held_by_value A, detail::referred B>                                      \
    requires TEST<F, A, B&>                                                                   \
  constexpr auto CALL(A x BROADLOOM_LIFETIMEBOUND, B& y BROADLOOM_LIFETIMEBOUND) QUALIFIER {  \
    return detail::apply<F>(static_cast<A&&>(x), y);                                          \
  }                                                                                           \
  template <detail::held_by_value A, detail::held_by_value B>                                 \
    requires TEST<F, A, B>                                                                    \
  constexpr auto CALL(A x BROADLOOM_LIFETIMEBOUND, B y BROADLOOM_LIFETIMEBOUND) QUALIFIER {   \
    return detail::apply<F>(static_cast<A&&>(x), static_cast<B&&>(y));                        \
  }                                                                                           \
  template <detail::referred A, detail::moved_in B>                                           \
    requires TEST<F, A&, B>                                                                   \
  constexpr auto CALL(A& x BROADLOOM_LIFETIMEBOUND, B&& y) QUALIFIER {                        \
    return detail::apply<F>(x, static_cast<B&&>(y));                                          \
  }                                                                                           \
  template <detail::moved_in A, detail::referred B>                                           \
    requires TEST<F, A, B&>                                                                   \
  constexpr auto CALL(A&& x, B& y BROADLOOM_LIFETIMEBOUND) QUALIFIER {                        \
    return detail::apply<F>(static_cast<A&&>(x), y);                                          \
  }
#define BROADLOOM_HELD_CALLS_3(CALL, QUALIFIER, TEST, F)                                                        \
  template <detail::referred A, detail::referred B, detail::referred C>                                         \
    requires TEST<F, A&, B&, C&>                                                                                \
  constexpr auto CALL(A& x BROADLOOM_LIFETIMEBOUND, B& y BROADLOOM_LIFETIMEBOUND, C& z BROADLOOM_LIFETIMEBOUND) \
      QUALIFIER {                                                                                               \
    return detail::apply<F>(x, y, z);                                                                           \
  }                                                                                                             \
  template <detail::referred A, detail::referred B, detail::held_by_value C>                                    \
    requires TEST<F, A&, B&, C>                                                                                 \
  constexpr auto CALL(A& x BROADLOOM_LIFETIMEBOUND, B& y BROADLOOM_LIFETIMEBOUND, C z BROADLOOM_LIFETIMEBOUND)  \
      QUALIFIER {                                                                                               \
    return detail::apply<F>(x, y, static_cast<C&&>(z));                                                         \
  }                                                                                                             \
  template <detail::referred A, detail::held_by_value B, detail::referred C>                                    \
    requires TEST<F, A&, B, C&>                                                                                 \
  constexpr auto CALL(A& x BROADLOOM_LIFETIMEBOUND, B y BROADLOOM_LIFETIMEBOUND, C& z BROADLOOM_LIFETIMEBOUND)  \
      QUALIFIER {                                                                                               \
    return detail::apply<F>(x, static_cast<B&&>(y), z);                                                         \
  }                                                                                                             \
  template <detail::referred A, detail::held_by_value B, detail::held_by_value C>                               \
    requires TEST<F, A&, B, C>                                                                                  \
  constexpr auto CALL(A& x BROADLOOM_LIFETIMEBOUND, B y BROADLOOM_LIFETIMEBOUND, C z BROADLOOM_LIFETIMEBOUND)   \
      QUALIFIER {                                                                                               \
    return detail::apply<F>(x, static_cast<B&&>(y), static_cast<C&&>(z));                                       \
  }                                                                                                             \
  template <detail::held_by_value A, detail::referred B, detail::referred C>                                    \
    requires TEST<F, A, B&, C&>                                                                                 \
  constexpr auto CALL(A x BROADLOOM_LIFETIMEBOUND, B& y BROADLOOM_LIFETIMEBOUND, C& z BROADLOOM_LIFETIMEBOUND)  \
      QUALIFIER {                                                                                               \
    return detail::apply<F>(static_cast<A&&>(x), y, z);                                                         \
  }                                                                                                             \
  template <detail::held_by_value A, detail::referred B, detail::held_by_value C>                               \
    requires TEST<F, A, B&, C>                                                                                  \
  constexpr auto CALL(A x BROADLOOM_LIFETIMEBOUND, B& y BROADLOOM_LIFETIMEBOUND, C z BROADLOOM_LIFETIMEBOUND)   \
      QUALIFIER {                                                                                               \
    return detail::apply<F>(static_cast<A&&>(x), y, static_cast<C&&>(z));                                       \
  }                                                                                                             \
  template <detail::held_by_value A, detail::held_by_value B, detail::referred C>                               \
    requires TEST<F, A, B, C&>                                                                                  \
  constexpr auto CALL(A x BROADLOOM_LIFETIMEBOUND, B y BROADLOOM_LIFETIMEBOUND, C& z BROADLOOM_LIFETIMEBOUND)   \
      QUALIFIER {                                                                                               \
    return detail::apply<F>(static_cast<A&&>(x), static_cast<B&&>(y), z);                                       \
  }                                                                                                             \
  template <detail::held_by_value A, detail::held_by_value B, detail::held_by_value C>                          \
    requires TEST<F, A, B, C>                                                                                   \
  constexpr auto CALL(A x BROADLOOM_LIFETIMEBOUND, B y BROADLOOM_LIFETIMEBOUND, C z BROADLOOM_LIFETIMEBOUND)    \
      QUALIFIER {                                                                                               \
    return detail::apply<F>(static_cast<A&&>(x), static_cast<B&&>(y), static_cast<C&&>(z));                     \
  }
// Of an array with a name and options; what is required of A& and O... follows.
#define BROADLOOM_HELD_ARRAY(...)                                                \
  template <detail::referred A, class... O>                                      \
    requires(__VA_ARGS__)                                                        \
  constexpr auto operator()(A& a BROADLOOM_LIFETIMEBOUND, const O&... o) const { \
    return (*this)(detail::capture(a), o...);                                    \
  }

#else

#define BROADLOOM_HELD_CALLS_1(...)
#define BROADLOOM_HELD_CALLS_2(...)
#define BROADLOOM_HELD_CALLS_3(...)
#define BROADLOOM_HELD_ARRAY(...)

#endif
