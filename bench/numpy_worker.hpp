// NumPy in a process of its own: it is told the name of a workload and answers when it is done.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

class numpy_worker {
 public:
  // Starts the script; available() is false where that fails.
  explicit numpy_worker(const std::string& script) {
    int to[2], from[2];
    if (pipe(to) != 0) return;
    if (pipe(from) != 0) {
      close(to[0]);
      close(to[1]);
      return;
    }
    child_ = fork();
    if (child_ == 0) {
      dup2(to[0], 0);
      dup2(from[1], 1);
      close(to[1]);
      close(from[0]);
      const char* const chosen = std::getenv("BROADLOOM_PYTHON");
      execl(chosen != nullptr ? chosen : "/usr/bin/python3", "python3", script.c_str(), static_cast<char*>(nullptr));
      _exit(127);
    }
    close(to[0]);
    close(from[1]);
    write_ = fdopen(to[1], "w");
    read_ = fdopen(from[0], "r");
  }
  ~numpy_worker() {
    if (write_ != nullptr) std::fclose(write_);
    if (read_ != nullptr) std::fclose(read_);
    if (child_ > 0) waitpid(child_, nullptr, 0);
  }
  numpy_worker(const numpy_worker&) = delete;
  numpy_worker& operator=(const numpy_worker&) = delete;

  // Does the workload once; false where there is no NumPy, or it answers "no".
  bool run(const std::string& name) {
    char answer[32];
    return ask(name, answer) && !(answer[0] == 'n' && answer[1] == 'o');
  }
  // The number that it answers; NaN where there is no NumPy, or it answers "no".
  double number(const std::string& question) {
    char answer[32];
    double r = 0;
    return ask(question, answer) && std::sscanf(answer, "%lf", &r) == 1 ? r : std::nan("");
  }

 private:
  template <int N>
  bool ask(const std::string& question, char (&answer)[N]) {
    if (write_ == nullptr || read_ == nullptr || broken_) return false;
    broken_ = std::fprintf(write_, "%s\n", question.c_str()) < 0 || std::fflush(write_) != 0 ||
              std::fgets(answer, N, read_) == nullptr;
    return !broken_;
  }

  int child_ = -1;
  std::FILE *write_ = nullptr, *read_ = nullptr;
  bool broken_ = false;
};
