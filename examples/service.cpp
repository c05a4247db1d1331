// A service that evaluates batches while it goes on taking requests: each batch is an evaluation of its own
// (bl::async), reports how far it is, is stopped when it is cancelled or late, and an error of one is no error of the
// others.
//
//   service < REQUESTS     a request is a line: "score NAME ROWS" (ROWS random rows through a small network, the mean
//   of
//                          their best scores), "cancel NAME", or "status"; the end of the input waits for all
#include <broadloom/broadloom.hpp>
#include <broadloom/eval/async.hpp>
#include <broadloom/eval/progress.hpp>
#include <broadloom/linalg.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <iostream>
#include <list>
#include <memory>
#include <sstream>
#include <string>

namespace bl = broadloom;

constexpr bl::index features = 16, classes = 8;
constexpr std::size_t most_at_once = 4;  // more requests wait for the oldest: memory is bounded

// What the network knows; it lives as long as the service.
struct network {
  bl::tensor<float, bl::shape<features, classes>> weights;
  bl::tensor<float, bl::shape<classes>> bias;
};

// A batch, from its request to its answer. Its rows and its result live here, while the evaluation reads and writes
// them.
class batch {
 public:
  batch(std::string name, bl::index rows, const network& n)
      : name_(std::move(name)), rows_(rows, features), best_(rows), reports_([this](const bl::progress& p) {
          percent_ = static_cast<int>(100 * p.share());  // on the thread that evaluates
        }) {
    for (bl::index i = 0; i < rows_.size(); ++i)
      rows_.data()[i] = static_cast<float>(static_cast<std::uint32_t>(i * 2654435761) >> 8) / 16777216.0f - 0.5f;
    const auto scores = bl::matmul(rows_, n.weights) + n.bias;
    // Returns at once. What it throws comes out of get().
    running_ = bl::async(best_, bl::amax(bl::softmax(bl::tanh(scores), -1), -1), bl::par | reports_);
  }

  const std::string& name() const { return name_; }
  bool ready() const { return running_.ready(); }
  int percent() const { return percent_; }
  void cancel() { running_.stop(); }
  // Waits for it, and says what became of it.
  std::string answer() {
    try {
      running_.get();
      std::ostringstream text;
      text << "mean of the best scores " << bl::eval(bl::mean(best_)).item();
      return text.str();
    } catch (const bl::stopped&) {
      return "cancelled";
    } catch (const std::exception& e) {
      return std::string("failed: ") + e.what();
    }
  }

 private:
  std::string name_;
  bl::dtensor<float, 2> rows_;
  bl::dtensor<float, 1> best_;
  std::atomic<int> percent_ = 0;
  bl::on_progress<std::function<void(const bl::progress&)>> reports_;
  bl::evaluation running_;  // the last: it is waited for before what it uses is gone
};

class service {
 public:
  explicit service(const network& n) : network_(n) {}

  void take(const std::string& request) {
    std::istringstream words(request);
    std::string what, name;
    bl::index rows = 0;
    words >> what >> name;
    if (what == "score" && words >> rows && rows >= 0) {
      while (batches_.size() >= most_at_once) finish(batches_.front());
      batches_.push_back(std::make_unique<batch>(name, rows, network_));
    } else if (what == "cancel") {
      for (const auto& b : batches_)
        if (b->name() == name) b->cancel();
    } else if (what == "status") {
      for (const auto& b : batches_) std::cerr << b->name() << ": " << b->percent() << " %\n";
    } else
      std::cout << "not understood: " << request << '\n';
  }
  // Answers what is ready, in the order of the requests. Called between requests: it does not wait.
  void answer_ready() {
    while (!batches_.empty() && batches_.front()->ready()) finish(batches_.front());
  }
  void answer_all() {
    while (!batches_.empty()) finish(batches_.front());
  }

 private:
  void finish(std::unique_ptr<batch>& b) {
    std::cout << b->name() << ": " << b->answer() << std::endl;
    batches_.pop_front();
  }
  const network& network_;
  std::list<std::unique_ptr<batch>> batches_;
};

int main() {
  network n;
  for (bl::index i = 0; i < features * classes; ++i) n.weights.data()[i] = static_cast<float>((i * 37) % 19 - 9) / 9.0f;
  for (bl::index i = 0; i < classes; ++i) n.bias.data()[i] = static_cast<float>(i) / 8.0f;
  service all(n);
  std::string request;
  while (std::getline(std::cin, request)) {
    all.take(request);
    all.answer_ready();
  }
  all.answer_all();
}
