// Prints plans. The only file that includes streams.
#include <charconv>
#include <ostream>
#include <string>

#include <broadloom/plan/explain.hpp>
#include <broadloom/tensor/print.hpp>

namespace broadloom {

namespace detail {

void write(std::ostream& to, const std::string& what) { to << what; }

format_options options_of(std::ostream& to) { return stream_options(to); }

namespace {

// Writes a tree as text; a tree that copies of a `let` share once.
class tree_writer final : public tree_visitor {
 public:
  void number(double x) override;
  void callable() override;
  void array(dtype type, const void* address, const index* extents, const index* strides, index rank) override;
  void result(const char* name, dtype type, const index* extents, index rank) override;
  void open(const char* name, bool pointwise, dtype type, const index* extents, index rank) override;
  void close() override;
  bool open_shared(const char* name, const void* tree, dtype type, const index* extents, index rank) override;

  std::string text() const;

 private:
  struct mention {
    const void* tree;
    std::size_t end;  // of its name in the text
    int times;
  };
  void begin();  // a node

  std::string text_;
  list<mention> shared_;
};

void tree_writer::begin() {
  if (!text_.empty() && text_.back() != '(') text_ += ", ";
}
void tree_writer::number(double x) {
  begin();
  char digits[32];
  text_.append(digits, std::to_chars(digits, digits + sizeof digits, x).ptr);
}
void tree_writer::callable() {
  begin();
  text_ += "a callable";
}
void tree_writer::array(dtype type, const void*, const index* extents, const index*, index rank) {
  begin();
  text_ += broadloom::to_string(type) + shape_text(extents, rank);
}
void tree_writer::result(const char* name, dtype type, const index* extents, index rank) {
  begin();
  text_ += std::string(name) + ": " + broadloom::to_string(type) + shape_text(extents, rank);
}
void tree_writer::open(const char* name, bool, dtype, const index*, index) {
  begin();
  text_ += std::string(name) + "(";
}
void tree_writer::close() { text_ += ")"; }
bool tree_writer::open_shared(const char* name, const void* tree, dtype, const index*, index) {
  begin();
  text_ += name;
  for (std::size_t k = 0; k < shared_.size(); ++k)
    if (shared_[k].tree == tree) {
      ++shared_[k].times;
      text_ += " #" + std::to_string(k + 1);
      return false;
    }
  shared_.push_back({tree, text_.size(), 1});
  text_ += "(";
  return true;
}
std::string tree_writer::text() const {
  std::string all = text_;
  for (std::size_t k = shared_.size(); k-- > 0;)
    if (shared_[k].times > 1) all.insert(shared_[k].end, " #" + std::to_string(k + 1));
  return all;
}

}  // namespace

std::string tree_text(const void* tree, show_tree* show) {
  tree_writer to;
  show(tree, to);
  return to.text();
}

}  // namespace detail

namespace {

std::string join(const list<index>& x) { return detail::shape_text(x.data(), static_cast<index>(x.size())); }

std::string plural(index n, const std::string& what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

std::string reduction_text(const planned_reduction& x) {
  if (x.loops.empty()) return {};
  std::string s = "            " + x.loops + ", " + x.elements + ": " + plural(x.results, "result") + " of " +
                  plural(x.length, "element");
  if (x.part < x.length) s += " by parts of " + std::to_string(x.part);
  if (x.tasks > 1) s += ", " + plural(x.tasks, "task") + " of at most " + plural(x.block, "result");
  return s + (x.threads > 1 ? ", " + plural(x.threads, "thread") + "\n" : "\n");
}

}  // namespace

std::string to_string(const explanation& x) {
  std::string s = "tree        " + x.tree + "\n";
  s += "shape       " + join(x.shape) + "\n";
  for (std::size_t k = 0; k < x.routes.size(); ++k) s += (k == 0 ? "route       " : ", then ") + x.routes[k];
  if (!x.routes.empty()) s += "\n";
  for (std::size_t k = 0; k < x.arrays.size(); ++k) {
    const planned_array& a = x.arrays[k];
    s += k + 1 < x.arrays.size() ? "operand #" + std::to_string(k) + "  " : std::string("output      ");
    s += std::string(broadloom::to_string(a.type)) + ", " + a.reading + ", " + plural(a.bytes, "byte") + "\n";
  }
  for (std::size_t i = 0; i < x.loops.size(); ++i) {
    s += i == 0 ? "loops       " : "            ";
    s += std::string(2 * i, ' ') + "for " + std::to_string(x.loops[i].extent) + "  steps " + join(x.loops[i].steps) +
         " bytes\n";
  }
  for (std::size_t i = 0; i < x.stages.size(); ++i)
    s += (i == 0 ? "stages      " : "            ") + x.stages[i] + "\n";
  if (x.shared_stages > 0) s += "shared      " + plural(x.shared_stages, "stage") + " computed before, once\n";
  for (const planned_pass& pass : x.passes)
    s += "before      " + pass.name + ", " + join(pass.extents) + ", " + plural(pass.bytes, "byte") +
         (pass.by_rows ? " a thread, by rows\n" : "\n") + reduction_text(pass.reduced);
  if (x.rows_at_once > 0)
    s += "rows        " + std::to_string(x.rows_at_once) + " at a time through the passes by rows and the loop\n";
  for (const planned_part& part : x.hoisted)
    s += "hoisted     a part over " + join(part.extents) + ", " + plural(part.bytes, "byte") + "\n";
  if (!x.blocks.empty())
    s += "blocks      " + x.blocks + ": " + plural(x.block_count, "block") + " of at most " +
         std::to_string(x.block_rows) + " x " + std::to_string(x.block_columns) + ", " + std::to_string(x.chunk) +
         " elements at a time\n";
  s += "runs on     " + plural(x.threads, "thread") + ", " + broadloom::to_string(x.level) + ", " +
       plural(x.lanes, "lane") + (x.streamed ? ", streaming stores" : "") +
       (x.maths.empty() ? "" : ", maths by " + x.maths) + "\n";
  s += "moves       " + plural(x.bytes_read, "byte") + " read, " + std::to_string(x.bytes_written) + " written, " +
       std::to_string(x.temporary_bytes) + " of temporaries, " + plural(x.calls, "call") + "\n";
  return s;
}

std::ostream& operator<<(std::ostream& to, const explanation& x) { return to << to_string(x); }

}  // namespace broadloom
