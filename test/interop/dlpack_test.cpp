// DLPack: tensors taken over with their deleter, memory handed over, and everything refused that is no such array.
#include <boost/test/unit_test.hpp>
#include <broadloom/half.hpp>
#include <broadloom/interop/dlpack.hpp>
#include <complex>
#include <support/thrown.hpp>
#include <vector>

namespace bl = broadloom;

namespace {

// DLPack 1's tensor, as its header declares it.
struct version_number {
  std::uint32_t major, minor;
};
struct versioned_tensor {
  version_number version;
  void* manager_ctx;
  void (*deleter)(versioned_tensor*);
  std::uint64_t flags;
  DLTensor dl_tensor;
};

template <class Managed>
struct producer {
  std::vector<float> elements{0, 1, 2, 3, 4, 5, 6};
  std::int64_t extents[2] = {2, 3}, strides[2] = {1, 2};
  int deleted = 0;
  Managed managed{};

  producer() {
    managed.manager_ctx = this;
    managed.deleter = [](Managed* m) { ++static_cast<producer*>(m->manager_ctx)->deleted; };
    managed.dl_tensor =
        DLTensor{elements.data(), DLDevice{kDLCPU, 0}, 2, DLDataType{kDLFloat, 32, 1}, extents, strides, sizeof(float)};
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(interop_dlpack)

BOOST_AUTO_TEST_CASE(a_tensor_is_taken_over_with_its_deleter) {
  producer<DLManagedTensor> p;
  {
    auto a = bl::from_dlpack<float, 2>(&p.managed);
    BOOST_TEST(a.data() == p.elements.data() + 1);
    BOOST_TEST(bl::eval(a)(1, 2) == 6.0F);
    BOOST_TEST(bl::eval(a * 2)(0, 1) == 6.0F);
    auto moved = std::move(a);
    BOOST_TEST(p.deleted == 0);
    auto e = std::move(moved) + 1;
    auto copy = e;
    BOOST_TEST(copy(0, 0) == 2.0F);
  }
  BOOST_TEST(p.deleted == 1);
}

BOOST_AUTO_TEST_CASE(a_tensor_of_any_rank_is_taken_over) {
  producer<DLManagedTensor> p;
  {
    auto any = bl::from_dlpack_any<float>(&p.managed);
    BOOST_TEST((any.extents() == std::vector<bl::index>{2, 3}));
    BOOST_TEST(any.data() == p.elements.data() + 1);
    BOOST_TEST(any.as_rank<2>()(1, 2) == 6.0F);
    BOOST_TEST(bl::visit_rank(any, [](const auto& a) { return bl::sum(a).item(); }) == 21.0F);
    BOOST_CHECK_THROW(any.as_rank<1>(), bl::shape_error);
    BOOST_TEST(p.deleted == 0);
  }
  BOOST_TEST(p.deleted == 1);
  p.managed.dl_tensor.strides = nullptr;
  BOOST_TEST(bl::from_dlpack_any<const float>(&p.managed).as_rank<2>()(1, 0) == 4.0F);
  BOOST_TEST(p.deleted == 2);
  // What is refused stays the caller's.
  BOOST_CHECK_THROW(bl::from_dlpack_any<int>(&p.managed), bl::shape_error);
  p.extents[0] = -1;
  BOOST_CHECK_THROW(bl::from_dlpack_any<float>(&p.managed), bl::shape_error);
  BOOST_TEST(p.deleted == 2);
}

BOOST_AUTO_TEST_CASE(strides_may_be_missing) {
  producer<DLManagedTensor> p;
  p.managed.dl_tensor.strides = nullptr;
  auto a = bl::from_dlpack<const float, 2>(&p.managed);
  BOOST_TEST(bl::eval(a)(1, 0) == 4.0F);
  static_assert(!bl::detail::writable<decltype(a)&>);
}

BOOST_AUTO_TEST_CASE(what_is_no_such_array_is_refused_by_name_and_stays_the_callers) {
  producer<DLManagedTensor> p;
  const auto refused = [&](auto change, auto from) {
    producer<DLManagedTensor> q;
    change(q.managed.dl_tensor);
    const std::string text = thrown<bl::shape_error>([&] { from(&q.managed); });
    BOOST_TEST(q.deleted == 0);
    return text;
  };
  const auto floats = bl::from_dlpack<float, 2>;
  BOOST_TEST(refused([](DLTensor&) {}, bl::from_dlpack<float, 3>) ==
             "from_dlpack: expected an array of rank 3, got rank 2");
  BOOST_TEST(refused([](DLTensor&) {}, bl::from_dlpack<double, 2>) ==
             "from_dlpack: expected elements of type f64, got floating-point numbers of 32 bits");
  BOOST_TEST(refused([](DLTensor& t) { t.dtype.lanes = 4; }, floats) ==
             "from_dlpack: expected elements of type f32, got floating-point numbers of 32 bits in 4 lanes");
  BOOST_TEST(refused([](DLTensor& t) { t.dtype = {4, 16, 1}; }, floats) ==
             "from_dlpack: expected elements of type f32, got bfloat16 numbers of 16 bits");
  BOOST_TEST(refused([](DLTensor& t) { t.device.device_type = kDLCUDA; }, floats) ==
             "from_dlpack: the tensor is not in the processor's memory");
  BOOST_TEST(refused([](DLTensor& t) { t.byte_offset = 2; }, floats) ==
             "from_dlpack: the elements are not aligned as their type demands");
  BOOST_TEST(refused([](DLTensor& t) { t.shape[0] = -1; }, floats) ==
             "Trying to create tensor with negative dimension: [-1, 3]");
}

BOOST_AUTO_TEST_CASE(a_versioned_tensor_says_whether_it_may_be_written) {
  producer<versioned_tensor> p;
  p.managed.version = {1, 0};
  {
    auto a = bl::from_dlpack<float, 2>(&p.managed);
    BOOST_TEST(bl::eval(a)(0, 0) == 1.0F);
  }
  BOOST_TEST(p.deleted == 1);
  p.managed.flags = 1;
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::from_dlpack<float, 2>(&p.managed); }) ==
             "from_dlpack: the tensor is read only; ask for const elements");
  {
    auto a = bl::from_dlpack<const float, 2>(&p.managed);
  }
  BOOST_TEST(p.deleted == 2);
  p.managed.version.major = 2;
  BOOST_CHECK_THROW((bl::from_dlpack<const float, 2>(&p.managed)), bl::shape_error);
}

BOOST_AUTO_TEST_CASE(a_tensor_hands_its_memory_over) {
  bl::dtensor<double, 2> t{{1, 2, 3}, {4, 5, 6}};
  const double* const first = t.data();
  DLManagedTensor* const m = bl::to_dlpack(std::move(t));
  BOOST_TEST(m->dl_tensor.data == first);
  BOOST_TEST(m->dl_tensor.ndim == 2);
  BOOST_TEST(m->dl_tensor.shape[1] == 3);
  BOOST_TEST(m->dl_tensor.strides[0] == 3);
  auto back = bl::from_dlpack<double, 2>(m);
  BOOST_TEST(back.data() == first);
  BOOST_TEST(bl::eval(back)(1, 1) == 5.0);
}

BOOST_AUTO_TEST_CASE(views_keep_their_strides_and_expressions_are_evaluated) {
  bl::dtensor<float, 2> t{{1, 2, 3}, {4, 5, 6}};
  DLManagedTensor* m = bl::to_dlpack(bl::flip(t.T(), 0));
  BOOST_TEST(m->dl_tensor.strides[0] == -1);
  {
    auto back = bl::from_dlpack<float, 2>(m);
    BOOST_TEST(bl::eval(back)(0, 1) == 6.0F);
  }
  auto kept = bl::from_dlpack<std::complex<float>, 1>(bl::to_dlpack(bl::dtensor<std::complex<float>, 1>{1, 2}));
  BOOST_TEST(kept.shape()[0] == 2);
  auto result = bl::from_dlpack<float, 2>(bl::to_dlpack(t + 1));
  BOOST_TEST(bl::eval(result)(1, 2) == 7.0F);
  versioned_tensor* const v = bl::to_dlpack_as<versioned_tensor>(bl::view<const float, bl::dshape<2>>(t));
  BOOST_TEST(v->version.major == 1U);
  BOOST_TEST(v->flags == 1U);
  v->deleter(v);
}

BOOST_AUTO_TEST_CASE(rank_0_and_arrays_without_elements_pass) {
  auto zero = bl::from_dlpack<int, 0>(bl::to_dlpack(bl::tensor<int, bl::shape<>>(7)));
  BOOST_TEST(bl::eval(zero).item() == 7);
  auto none = bl::from_dlpack<float, 2>(bl::to_dlpack(bl::dtensor<float, 2>(0, 3)));
  BOOST_TEST(none.shape()[1] == 3);
}

BOOST_AUTO_TEST_CASE(elements_of_16_bits_go_both_ways) {
  DLManagedTensor* const half = bl::to_dlpack(bl::dtensor<bl::float16, 1>{1, 2.5});
  BOOST_TEST((half->dl_tensor.dtype.code == kDLFloat && half->dl_tensor.dtype.bits == 16));
  BOOST_TEST(float(bl::eval(bl::from_dlpack<bl::float16, 1>(half) * 2)(1)) == 5.0F);
  DLManagedTensor* const brain = bl::to_dlpack(bl::dtensor<bl::bfloat16, 1>{1, 2.5});
  BOOST_TEST((brain->dl_tensor.dtype.code == kDLBfloat && brain->dl_tensor.dtype.bits == 16));
  BOOST_CHECK_THROW((bl::from_dlpack<bl::float16, 1>(brain)), bl::shape_error);
  BOOST_TEST(float(bl::eval(bl::from_dlpack<bl::bfloat16, 1>(brain) * 2)(1)) == 5.0F);
}

BOOST_AUTO_TEST_SUITE_END()
