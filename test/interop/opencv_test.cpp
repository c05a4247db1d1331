// OpenCV's matrices as arrays over their elements, and views as matrices.
#include <boost/test/unit_test.hpp>
#include <broadloom/broadloom.hpp>
#include <broadloom/interop/opencv.hpp>
#include <opencv2/core.hpp>
#include <support/thrown.hpp>

namespace bl = broadloom;

BOOST_AUTO_TEST_SUITE(interop_opencv)

BOOST_AUTO_TEST_CASE(a_matrix_is_seen_where_it_lies_and_kept) {
  cv::Mat whole(4, 6, CV_32FC1);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 6; ++j) whole.at<float>(i, j) = static_cast<float>(10 * i + j);
  cv::Mat part = whole(cv::Range(1, 3), cv::Range(2, 5));
  auto a = bl::from_opencv<float, 2>(part);
  BOOST_TEST(a.data() == part.ptr<float>());
  BOOST_TEST(a.as_view()(1, 2) == 24.0F);
  part = cv::Mat();
  a.as_view() += 100;
  BOOST_TEST(whole.at<float>(2, 4) == 124.0F);
  whole = cv::Mat();
  BOOST_TEST(bl::eval(a * 2)(0, 0) == 224.0F);
}

BOOST_AUTO_TEST_CASE(channels_are_the_last_axis) {
  cv::Mat image(2, 3, CV_8UC3, cv::Scalar(1, 2, 3));
  auto a = bl::from_opencv<std::uint8_t, 3>(image);
  BOOST_TEST(a.shape()[2] == 3);
  BOOST_TEST(bl::eval(bl::sum(a, bl::axes<0, 1>))(2) == 18);
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::from_opencv<std::uint8_t, 2>(image); }) ==
             "from_opencv: the channels are an axis of their own: ask for a rank higher by one");
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::from_opencv<float, 3>(image); }) ==
             "from_opencv: expected elements of type f32, got CV_8U");
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::from_opencv<std::uint8_t, 4>(image); }) ==
             "from_opencv: expected an array of rank 4, got rank 2");
}

BOOST_AUTO_TEST_CASE(any_number_of_axes) {
  const int size[] = {2, 3, 4};
  cv::Mat m(3, size, CV_64FC1, cv::Scalar(1.5));
  m.at<double>(1, 2, 3) = 7;
  auto a = bl::from_opencv<double, 3>(m);
  BOOST_TEST(a.as_view()(1, 2, 3) == 7.0);
  BOOST_TEST(a.data() == m.ptr<double>());
  BOOST_TEST((a.shape() == bl::dshape<3>(2, 3, 4)));
  BOOST_TEST(bl::eval(bl::sum(a)).item() == 23 * 1.5 + 7);
}

BOOST_AUTO_TEST_CASE(of_a_rank_that_only_the_run_knows) {
  // A part of a matrix, so that rows are not contiguous; channels are an axis where there are several.
  for (const int channels : {1, 3}) {
    for (int dims = 2; dims <= 4; ++dims) {
      const int size[] = {3, 4, 2, 5};
      cv::Mat whole(dims, size, CV_MAKETYPE(CV_32F, channels));
      for (std::size_t i = 0; i < whole.total() * std::size_t(channels); ++i)
        whole.ptr<float>()[i] = static_cast<float>(i);
      std::vector<cv::Range> ranges(std::size_t(dims), cv::Range::all());
      ranges[1] = cv::Range(1, 3);
      const cv::Mat part = whole(ranges);
      auto any = bl::from_opencv_any<float>(part);
      BOOST_TEST(any.rank() == dims + (channels > 1 ? 1 : 0));
      BOOST_TEST(any.data() == part.ptr<float>());
      BOOST_TEST(any.extents()[1] == 2);
      BOOST_TEST(any.strides()[0] == static_cast<bl::index>(whole.step[0] / sizeof(float)));
      const cv::Scalar sums = cv::sum(part);
      const double wanted = sums[0] + sums[1] + sums[2];
      bl::visit_rank(any, [&](const auto& x) { BOOST_TEST(double(bl::eval(bl::sum(x)).item()) == wanted); });
    }
  }
  // It keeps the elements alive and writes through to them.
  cv::Mat m(2, 3, CV_64FC2, cv::Scalar(1, 2));
  auto kept = bl::from_opencv_any<double>(m);
  kept.as_rank<3>() *= 2;
  BOOST_TEST((m.at<cv::Vec2d>(1, 2)[1] == 4.0));
  m = cv::Mat();
  BOOST_TEST(bl::eval(bl::sum(kept.as_rank<3>())).item() == 36.0);
  auto read = bl::from_opencv_any<const double>(cv::Mat(2, 2, CV_64FC1, cv::Scalar(3)));
  static_assert(std::is_same_v<decltype(read.data()), const double*>);
  BOOST_TEST(bl::eval(bl::sum(read.as_rank<2>())).item() == 12.0);
}

BOOST_AUTO_TEST_CASE(what_is_no_array_of_that_type_is_refused) {
  const cv::Mat floats(2, 3, CV_32FC1, cv::Scalar(0));
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::from_opencv_any<double>(floats); }) ==
             "from_opencv_any: expected elements of type f64, got CV_32F");
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::from_opencv_any<float>(cv::Mat()); }) ==
             "from_opencv_any: the matrix was never given a size");
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::from_opencv<float, 1>(cv::Mat()); }) ==
             "from_opencv: the matrix was never given a size");
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::from_opencv_any<float>(floats).as_rank<3>(); }).find("not rank 3") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(views_are_matrices_of_the_same_elements) {
  bl::dtensor<float, 2> t{{1, 2, 3}, {4, 5, 6}};
  cv::Mat m = bl::as_opencv(t(bl::all, bl::range(1, 3)));
  BOOST_TEST(m.cols == 2);
  BOOST_TEST(m.ptr<float>(1) == &t(1, 1));
  m.at<float>(0, 1) = 30;
  BOOST_TEST(t(0, 2) == 30.0F);
  bl::dtensor<std::uint8_t, 3> image(4, 5, 3);
  image(3, 4, 2) = 9;
  cv::Mat c = bl::as_opencv(image, bl::as_opencv_t::last_axis::is_channels);
  BOOST_TEST(c.channels() == 3);
  BOOST_TEST(int(c.at<cv::Vec3b>(3, 4)[2]) == 9);
  BOOST_CHECK_THROW(bl::as_opencv(t.T()), bl::shape_error);
  BOOST_CHECK_THROW(bl::as_opencv(bl::flip(t, 0)), bl::shape_error);
  auto back = bl::from_opencv<std::uint8_t, 3>(c);
  BOOST_TEST(back.data() == image.data());
}

BOOST_AUTO_TEST_SUITE_END()
