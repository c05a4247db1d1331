// libtorch's tensors as arrays over their storage, and arrays as its tensors.
#include <boost/test/unit_test.hpp>
#include <broadloom/half.hpp>
#include <broadloom/interop/torch.hpp>
#include <support/thrown.hpp>

namespace bl = broadloom;

BOOST_AUTO_TEST_SUITE(interop_torch)

BOOST_AUTO_TEST_CASE(a_tensor_is_seen_where_it_lies_and_kept) {
  at::Tensor t = at::arange(12, at::kFloat).reshape({3, 4}).t().slice(0, 1, 4, 2);
  auto a = bl::from_torch<float, 2>(t);
  BOOST_TEST(a.data() == t.data_ptr<float>());
  BOOST_TEST((a.shape() == bl::dshape<2>(2, 3)));
  BOOST_TEST((a.as_view().strides()[0] == t.stride(0) && a.as_view().strides()[1] == t.stride(1)));
  BOOST_TEST(a.as_view()(1, 2) == t[1][2].item<float>());
  t = at::Tensor();
  BOOST_TEST(bl::eval(a + 1)(1, 2) == 12.0F);
  a.as_view() *= 2;
  BOOST_TEST(bl::eval(bl::sum(a)).item() == 2.0F * (1 + 5 + 9 + 3 + 7 + 11));
  auto e = [] { return bl::from_torch<double, 1>(at::ones({5}, at::kDouble)) * 3; }();
  BOOST_TEST(bl::eval(e)(4) == 3.0);
}

BOOST_AUTO_TEST_CASE(elements_of_16_bits_are_libtorchs) {
  const auto both = []<class H>(H, at::ScalarType type) {
    const at::Tensor t = at::arange(6, at::kFloat).mul(0.3).reshape({2, 3}).to(type);
    const auto a = bl::from_torch<H, 2>(t);
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j) BOOST_TEST(float(a.as_view()(i, j)) == t[i][j].item<float>());
    bl::dtensor<H, 1> x{1, 2.5, 0.1};
    const at::Tensor seen = bl::as_torch(x);
    BOOST_TEST((seen.scalar_type() == type && seen.data_ptr() == x.data()));
    BOOST_TEST(seen[2].item<float>() == float(x(2)));
  };
  both(bl::float16{}, at::kHalf);
  both(bl::bfloat16{}, at::kBFloat16);
}

BOOST_AUTO_TEST_CASE(what_is_no_such_array_is_refused_by_name) {
  const at::Tensor t = at::zeros({2, 3});
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::from_torch<float, 1>(t); }) ==
             "from_torch: expected an array of rank 1, got rank 2");
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::from_torch<double, 2>(t); }) ==
             "from_torch: expected elements of type f64, got Float");
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::from_torch<float, 2>(t.to_sparse()); }) ==
             "from_torch: the tensor has no strides");
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::from_torch<float, 2>(at::Tensor()); }) ==
             "from_torch: the tensor is undefined");
  BOOST_CHECK_THROW((bl::from_torch<std::complex<float>, 1>(at::zeros({2}, at::kComplexFloat).conj())),
                    bl::shape_error);
}

BOOST_AUTO_TEST_CASE(a_tensor_of_any_rank_is_kept) {
  at::Tensor t = at::arange(24, at::kFloat).reshape({2, 3, 4}).transpose(0, 2);
  const float* const where = t.data_ptr<float>();
  auto any = bl::from_torch_any<float>(t);
  t = at::Tensor();
  BOOST_TEST(any.data() == where);
  BOOST_TEST((any.extents() == std::vector<bl::index>{4, 3, 2}));
  BOOST_TEST(any.as_rank<3>()(3, 2, 1) == 23.0F);
  BOOST_TEST(bl::visit_rank(any, [](const auto& a) { return bl::sum(a).item(); }) == 276.0F);
  BOOST_CHECK_THROW(bl::from_torch_any<double>(at::zeros({2})), bl::shape_error);
}

BOOST_AUTO_TEST_CASE(views_are_tensors_of_the_same_elements) {
  bl::dtensor<float, 2> t{{1, 2, 3}, {4, 5, 6}};
  at::Tensor seen = bl::as_torch(t.T());
  BOOST_TEST(seen.data_ptr<float>() == t.data());
  BOOST_TEST((seen.size(0) == 3 && seen.size(1) == 2 && seen.stride(0) == 1 && seen.stride(1) == 3));
  BOOST_TEST(seen[2][1].item<float>() == 6.0F);
  seen.add_(1);
  BOOST_TEST(t(1, 2) == 7.0F);
  BOOST_CHECK_THROW(bl::as_torch(bl::flip(t, 0)), bl::shape_error);
  BOOST_TEST(bl::as_torch(bl::expand(t(0, bl::all), bl::make_shape(4, 3))).stride(0) == 0);
}

BOOST_AUTO_TEST_CASE(a_tensor_hands_its_memory_over) {
  bl::dtensor<std::int64_t, 1> t{1, 2, 3};
  const std::int64_t* const first = t.data();
  at::Tensor given = bl::to_torch(std::move(t));
  BOOST_TEST(given.data_ptr<std::int64_t>() == first);
  BOOST_TEST(given.sum().item<std::int64_t>() == 6);
  bl::tensor<float, bl::shape<2, 2>> fixed{{1, 2}, {3, 4}};
  BOOST_TEST(bl::to_torch(fixed * 2)[1][0].item<float>() == 6.0F);
  BOOST_TEST(bl::to_torch(bl::dtensor<float, 2>(0, 3)).size(1) == 3);
}

BOOST_AUTO_TEST_SUITE_END()
