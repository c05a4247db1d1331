// The families themselves: compiled once for all tests of faults.
#include "fault/families.hpp"

#include <broadloom/decompositions.hpp>
#include <broadloom/linalg.hpp>
#include <broadloom/sets.hpp>

#include <string>

namespace fault {

namespace {

constexpr family families[] = {
    {"pointwise", [](arrays& a, const bl::policy& p) { bl::assign(a.out, a.m * a.v + bl::exp(a.big), p); }},
    {"transposed", [](arrays& a, const bl::policy& p) { bl::assign(a.out, a.m.as_view().T() + a.big, p); }},
    {"over itself",
     [](arrays& a, const bl::policy& p) {
       bl::assign(a.out, bl::where(a.out == -77, a.m, a.out) + bl::where(a.out == -77, a.m, a.out).T(), p);
     }},
    {"row sums", [](arrays& a, const bl::policy& p) { bl::assign(a.row, bl::sum(a.m * a.big, bl::axes<1>), p); }},
    {"column means", [](arrays& a, const bl::policy& p) { bl::assign(a.row, bl::mean(a.m + 1, bl::axes<0>), p); }},
    {"softmax", [](arrays& a, const bl::policy& p) { bl::assign(a.out, bl::softmax(a.m, 1), p); }},
    {"variance",
     [](arrays& a, const bl::policy& p) {
       bl::assign(a.out, (a.m - bl::mean(a.m, bl::axes<0>)) / bl::std(a.m, bl::axes<0>), p);
     }},
    {"let",
     [](arrays& a, const bl::policy& p) {
       const auto t = bl::let(bl::exp(a.m * 0.125f));
       bl::assign(a.out, t * t + bl::sum(t, bl::axes<1>, bl::keepdim), p);
     }},
    {"cumsum", [](arrays& a, const bl::policy& p) { bl::assign(a.out, bl::cumsum(a.m, 0), p); }},
    {"matmul", [](arrays& a, const bl::policy& p) { bl::assign(a.out, bl::matmul(a.m, a.big), p); }},
    {"matmul and bias",
     [](arrays& a, const bl::policy& p) { bl::assign(a.out, bl::relu(bl::matmul(a.m + 1, a.big) + a.v), p); }},
    {"transposed product",
     [](arrays& a, const bl::policy& p) { bl::assign(a.out, bl::matmul(a.m.T(), a.big.T()), p); }},
    {"matrix and vector", [](arrays& a, const bl::policy& p) { bl::assign(a.row, bl::matmul(a.m.T(), a.v), p); }},
    {"einsum", [](arrays& a, const bl::policy& p) { bl::assign(a.row, bl::einsum<"ij,jk,k->i">(a.m, a.big, a.v), p); }},
    {"inverse", [](arrays& a, const bl::policy& p) { bl::assign(a.out, bl::inv(a.m), p); }},
    {"solve", [](arrays& a, const bl::policy& p) { bl::assign(a.row, bl::solve(a.m, a.v), p); }},
    {"lu", [](arrays& a, const bl::policy&) { a.result = bl::lu_factor(a.m).lu(1, 1); }},
    {"qr", [](arrays& a, const bl::policy&) { a.result = bl::qr(a.m).r(1, 1); }},
    {"svd", [](arrays& a, const bl::policy&) { a.result = bl::svd(a.m).s(0); }},
    {"cholesky",
     [](arrays& a, const bl::policy&) { a.result = bl::eval(bl::cholesky(bl::matmul(a.m, a.m.T())))(1, 1); }},
    {"eigh", [](arrays& a, const bl::policy&) { a.result = bl::eigh(a.m + a.m.T()).values(0); }},
    {"lstsq", [](arrays& a, const bl::policy& p) { bl::assign(a.row, bl::lstsq_vec(a.m, a.v), p); }},
    {"matrix_exp", [](arrays& a, const bl::policy& p) { bl::assign(a.out, bl::matrix_exp(a.m * 0.01f), p); }},
    {"sort", [](arrays& a, const bl::policy& p) { a.result = bl::sort(a.m, 0, false, p).values(1, 1); }},
    {"topk", [](arrays& a, const bl::policy&) { a.result = bl::topk(a.m, 2).values(1, 1); }},
    {"topk of few", [](arrays& a, const bl::policy&) { a.result = bl::topk(bl::flatten(a.m), 2).values(1); }},
    {"partition", [](arrays& a, const bl::policy& p) { a.result = bl::partition(a.m, 1, 0, p)(1, 1); }},
    {"sets",
     [](arrays& a, const bl::policy&) { a.result = static_cast<double>(bl::intersect1d(a.m, a.big * 2).size()); }},
    {"schur",
     [](arrays& a, const bl::policy&) {
       a.result = bl::schur(a.m, [](double re, double) { return re > 1; }).t(1, 1);
     }},
    {"unique", [](arrays& a, const bl::policy&) { a.result = static_cast<double>(bl::unique(a.m).values.size()); }},
    {"gather", [](arrays& a, const bl::policy& p) { bl::assign(a.out, bl::gather(a.m, 1, a.counts) * 2, p); }},
    {"index_select", [](arrays& a, const bl::policy& p) { bl::assign(a.out, bl::index_select(a.m, 0, a.at), p); }},
    {"argmax",
     [](arrays& a, const bl::policy& p) { a.result = static_cast<double>(bl::eval(bl::argmax(a.m, 1), p)(1)); }},
    {"bincount", [](arrays& a, const bl::policy&) { a.result = static_cast<double>(bl::bincount(a.at)(0)); }},
    {"callable",
     [](arrays& a, const bl::policy& p) {
       bl::assign(a.out, bl::pointwise([](float x, float y) { return x * 2 - y; }, a.m, a.v) + a.big, p);
     }},
    {"windows",
     [](arrays& a, const bl::policy& p) { bl::assign(a.out, bl::roll(bl::flip(a.m, 1), 3, 0) + bl::triu(a.big), p); }},
    {"mask",
     [](arrays& a, const bl::policy&) { a.result = static_cast<double>(bl::masked_select(a.m, a.m > 1).size()); }},
    {"scatter", [](arrays& a, const bl::policy&) { bl::scatter_(a.out, 1, a.counts, a.m); }},
    {"scatter_reduce", [](arrays& a, const bl::policy&) { bl::scatter_add_(a.out, 1, a.counts, a.m); }},
    {"index_add", [](arrays& a, const bl::policy&) { bl::index_add_(a.out, 0, a.at, a.m); }},
    {"cat", [](arrays& a, const bl::policy& p) { bl::assign(a.wide, bl::cat(1, a.m * 2, a.big), p); }},
    {"pad", [](arrays& a, const bl::policy& p) { bl::assign(a.wide, bl::pad(a.m, {a.m.shape()[0], 0}), p); }},
    {"new tensor", [](arrays& a, const bl::policy& p) { a.result = bl::eval(a.m + bl::sum(a.big, 0), p)(1, 1); }},
    {"print", [](arrays& a, const bl::policy&) { a.result = static_cast<double>(bl::to_string(a.m).size()); }},
    {"random",
     [](arrays& a, const bl::policy&) {
       bl::generator g(7);
       a.result = bl::randn<float>(g, a.m.shape())(1, 1);
     }},
    {"assign_all",
     [](arrays& a, const bl::policy&) {
       bl::assign_all(bl::to(a.out, a.m + a.v), bl::to(a.out2, a.m * bl::sum(a.big, bl::axes<0>)));
     },
     true},
};

}  // namespace

std::span<const family> all_families() { return families; }

}  // namespace fault
