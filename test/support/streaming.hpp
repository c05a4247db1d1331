// Results of all sizes are written with streaming stores while one of these lives.
#pragma once

#include <broadloom/eval/tuning.hpp>

class streaming {
 public:
  streaming() {
    broadloom::tuning all = before_;
    all.streamed_bytes = 1;
    broadloom::set_tuning(all);
  }
  ~streaming() { broadloom::set_tuning(before_); }
  streaming(const streaming&) = delete;
  streaming& operator=(const streaming&) = delete;

 private:
  const broadloom::tuning before_ = broadloom::current_tuning();
};
