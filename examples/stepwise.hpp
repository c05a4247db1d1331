// Evaluates an expression the way a library without fusion does: one operation at a time, each into memory of its own.
// Equal parts are computed once, conversions of given arrays belong to the operation that reads them, memory is made
// beforehand and used again when nothing needs its contents, and every operation is a Broadloom loop over no more than
// its own shape: what a careful programmer would write by hand.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <boost/hana/unpack.hpp>
#include <broadloom/broadloom.hpp>

#include "photograph.hpp"

namespace example {

class stepwise {
 public:
  // Lists the operations of out = e.
  template <class Out, class E>
  stepwise(const Out& out, const E& e) {
    with_inputs(e, [&](const auto&... inputs) {
      const auto f = e.function();
      steps_.push_back(
          {[=, this] { bl::assign(out, bl::detail::make_map(f, this->read(inputs)...)); }, -1, 0, {inputs.id...}});
    });
    place_results();
  }
  stepwise(const stepwise&) = delete;
  stepwise& operator=(const stepwise&) = delete;

  void run() const {
    for (const step& s : steps_) s.compute();
  }
  std::size_t operations() const { return steps_.size(); }
  std::size_t temporary_bytes() const {
    std::size_t sum = 0;
    for (const auto& block : blocks_) sum += block.size();
    return sum;
  }

 private:
  struct step {
    std::function<void()> compute;
    int block;
    std::size_t bytes;
    std::vector<int> inputs;  // earlier steps, -1 for arrays and numbers that were there before
  };

  // An input that was there before, or the result of an earlier step.
  template <class Node>
  struct given {
    Node node;
    static constexpr int id = -1;
  };
  template <class T, class Shape>
  struct computed {
    Shape shape;
    int id;
  };

  template <class Node>
  const Node& read(const given<Node>& input) const {
    return input.node;
  }
  template <class T, class Shape>
  auto read(const computed<T, Shape>& input) const {
    return planes(static_cast<const T*>(memory_of(input.id)), input.shape);
  }
  void* memory_of(int id) const {
    const step& s = steps_[static_cast<std::size_t>(id)];
    return const_cast<std::byte*>(blocks_[static_cast<std::size_t>(s.block)].data());
  }

  // Calls `use` with the inputs of the outermost operation, from left to right.
  template <class E, class Use>
  void with_inputs(const E& e, const Use& use) {
    boost::hana::unpack(e.args(), [&](const auto&... a) {
      const boost::hana::basic_tuple<decltype(this->visit(a))...> inputs{this->visit(a)...};
      boost::hana::unpack(inputs, use);
    });
  }

  // A given array or number, or the conversion of one.
  template <class E>
      struct is_given : std::bool_constant < !requires(const E& e) {
    e.function();
  }>{};
  template <class To, class Shape, class Arg>
  struct is_given<bl::map<bl::detail::cast_f<To>, Shape, Arg>> : is_given<Arg> {};

  // Lists what computes e, unless an equal part is listed already.
  template <class E>
  auto visit(const E& e) {
    if constexpr (is_given<E>::value) {
      return given<E>{e};
    } else {
      computed<typename E::value_type, typename E::shape_type> result{e.shape(), 0};
      with_inputs(e, [&](const auto&... inputs) { list(result, e.function(), inputs...); });
      return result;
    }
  }
  template <class T, class Shape, class F, class... Input>
  void list(computed<T, Shape>& result, const F& f, const Input&... inputs) {
    std::string key = typeid(F).name();
    ((key += ',' + key_of(inputs)), ...);
    const auto [place, is_new] = known_.try_emplace(key, static_cast<int>(steps_.size()));
    result.id = place->second;
    if (!is_new) return;
    const auto compute = [this, f, result, inputs...] {
      bl::assign(planes(static_cast<T*>(memory_of(result.id)), result.shape),
                 bl::detail::make_map(f, this->read(inputs)...));
    };
    steps_.push_back({compute, 0, static_cast<std::size_t>(result.shape.size()) * sizeof(T), {inputs.id...}});
  }

  template <class T, class Shape>
  static std::string key_of(const computed<T, Shape>& input) {
    return '#' + std::to_string(input.id);
  }
  template <class Node>
  static std::string key_of(const given<Node>& input) {
    return key_of(input.node);
  }
  // Equal for equal numbers, and for equal views of the same memory.
  template <class Leaf>
  static std::string key_of(const Leaf& e) {
    std::string key = typeid(typename Leaf::value_type).name();
    if constexpr (requires { e.function(); }) {
      key += '(' + key_of(e.template arg<0>()) + ')';
    } else if constexpr (requires { e.data(); }) {
      key += '@' + std::to_string(reinterpret_cast<std::uintptr_t>(e.data()));
      for (const auto n : e.shape().extents()) key += 'x' + std::to_string(n);
      for (const auto n : e.strides()) key += '+' + std::to_string(n);
    } else {
      const auto value = e.value();
      const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
      for (std::size_t i = 0; i < sizeof value; ++i) key += '=' + std::to_string(bytes[i]);
    }
    return key;
  }

  // Gives every result a block of memory that no later step still needs.
  void place_results() {
    std::vector<std::size_t> last_use(steps_.size(), 0);
    for (std::size_t i = 0; i < steps_.size(); ++i)
      for (const int input : steps_[i].inputs)
        if (input >= 0) last_use[static_cast<std::size_t>(input)] = i;
    std::vector<std::size_t> free_after;  // the step after which a block is free again
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i + 1 < steps_.size(); ++i) {
      std::size_t best = sizes.size();
      for (std::size_t b = 0; b < sizes.size(); ++b)
        if (free_after[b] < i && sizes[b] == steps_[i].bytes) best = b;
      if (best == sizes.size()) {
        sizes.push_back(steps_[i].bytes);
        free_after.push_back(0);
      }
      free_after[best] = last_use[i];
      steps_[i].block = static_cast<int>(best);
    }
    for (const std::size_t size : sizes) blocks_.emplace_back(size);
  }

  std::vector<step> steps_;
  std::map<std::string, int> known_;
  std::vector<std::vector<std::byte>> blocks_;
};

}  // namespace example
