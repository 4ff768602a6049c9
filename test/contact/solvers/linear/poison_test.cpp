// Storage that was poisoned is no number and no index; its sizes stay.
#include "contact/solvers/linear/poison.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/types.h"

using namespace pequod;

#ifndef NDEBUG

namespace {

struct Buffers {
  VectorXd x = VectorXd::Zero(3);
  std::vector<int> order = {0, 1, 2, 3, 4};
  std::vector<VectorXd> parts = {VectorXd::Ones(2)};
  double kept = 1.0;
  void poison() { pequod::poison(x, order, parts); }
};

}  // namespace

TEST_CASE("poisoned storage keeps its sizes, and holds nothing that could be read") {
  std::vector<Buffers> all(2);
  MatrixXd A = MatrixXd::Identity(3, 2);
  std::vector<char> flags(11, 0);
  std::vector<Vector3d> points(2, Vector3d::Zero());
  poison(all, A, flags, points);
  for (const Buffers& one : all) {
    CHECK(one.x.size() == 3);
    CHECK(one.x.array().isNaN().all());
    REQUIRE(one.order.size() == 5);
    for (const int i : one.order) CHECK(i < -1000);
    CHECK(one.parts[0].array().isNaN().all());
    CHECK(one.kept == 1.0);  // a member that is no storage
  }
  CHECK(A.rows() == 3);
  CHECK(A.array().isNaN().all());
  for (const char flag : flags) CHECK(flag != 0);
  std::vector<int> none;  // its address may be null
  poison(none);
  CHECK(none.empty());
  CHECK(std::isnan(points[1].z()));
}

#endif
