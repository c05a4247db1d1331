// The picture of a plan: what explain() found, as SVG.
#include <broadloom/eval/draw_plan.hpp>
#include <broadloom/tensor/print.hpp>

#include <algorithm>
#include <cstdio>

#include "svg.hpp"

namespace broadloom::runtime {

namespace {

using svg::letter, svg::text_at;

constexpr int width = 640, margin = 14, line = 20, row_height = 28, cell_width = 70;
constexpr int letters_in_a_line = (width - 2 * margin) / letter;

// Three digits and a unit.
std::string bytes_text(index n) {
  const char* const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  auto x = static_cast<double>(n);
  int unit = 0;
  while (x >= 1000 && unit < 5) {
    x /= 1000;
    ++unit;
  }
  char text[40];
  static_cast<void>(std::snprintf(text, sizeof text, "%.3g %s", x, n == 1 ? "byte" : units[unit]));
  return text;
}

std::string shape_of(const list<index>& x) { return detail::shape_text(x.data(), static_cast<index>(x.size())); }

// Text in lines, broken behind commas and spaces; what is longer than `most` lines ends with dots.
list<std::string> wrapped(const std::string& text, std::size_t letters, std::size_t most) {
  list<std::string> lines;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = at + letters;
    if (end >= text.size())
      end = text.size();
    else if (const std::size_t space = text.rfind(' ', end); space != std::string::npos && space > at)
      end = space + 1;
    if (lines.size() + 1 == most && end < text.size()) {
      lines.push_back(text.substr(at, letters - 4) + " ...");
      break;
    }
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

class plan_drawing {
 public:
  explicit plan_drawing(const explanation& x) : x_(x) {}

  std::string svg() {
    tree();
    route();
    first();
    loops();
    blocks();
    bytes();
    return svg::picture("How an expression is evaluated", width, y_ + margin - 6, body_);
  }

 private:
  void say(int x, const char* how, const std::string& text) {
    body_ += text_at(x, y_ + 14, how, text);
    y_ += line;
  }
  void title(const char* text) {
    y_ += 6;
    say(margin, "type", text);
  }

  void tree() {
    for (const std::string& text : wrapped(x_.tree, letters_in_a_line, 4)) say(margin, "name", text);
    say(margin, "type", "gives " + shape_of(x_.shape));
  }

  // Boxes with arrows between them.
  void route() {
    if (x_.routes.empty()) return;
    title("route");
    int x = margin;
    for (std::size_t k = 0; k < x_.routes.size(); ++k) {
      const int wide = static_cast<int>(x_.routes[k].size()) * letter + 16;
      if (x > margin && x + wide > width - margin) {
        x = margin;
        y_ += row_height + 4;
      }
      body_ += svg::box(x, y_, wide, row_height - 4, "axis") + text_at(x + wide / 2, y_ + 16, "extent", x_.routes[k]);
      if (k + 1 < x_.routes.size()) {
        const std::string at = std::to_string(x + wide + 4), middle = std::to_string(y_ + 12);
        body_ += "<path class=\"branch\" d=\"M" + at + " " + middle + "h14m-5 -4l5 4l-5 4\"/>\n";
      }
      x += wide + 24;
    }
    y_ += row_height;
  }

  // Barriers and hoisted parts.
  void first() {
    if (x_.passes.empty() && x_.hoisted.empty()) return;
    title("computed first");
    for (const planned_pass& p : x_.passes) {
      say(margin + 12, "name",
          p.name + " " + shape_of(p.extents) + ", " + bytes_text(p.bytes) +
              (!p.by_rows            ? ", whole"
               : x_.rows_at_once > 0 ? ", " + std::to_string(x_.rows_at_once) + " rows at a time, beside the loop"
                                     : ", by rows"));
      if (!p.reduced.loops.empty()) say(margin + 24, "type", p.reduced.loops + ", " + p.reduced.elements);
    }
    for (const planned_part& p : x_.hoisted)
      say(margin + 12, "name", "a part over " + shape_of(p.extents) + ", " + bytes_text(p.bytes) + ", once");
  }

  // A frame for each loop, with all that is inside it; beside them a column for each array.
  void loops() {
    title(x_.loops.empty() ? "no loop" : "loops, and the bytes by which each array moves on");
    const std::size_t arrays = x_.arrays.size();
    const int depth = static_cast<int>(x_.loops.size());
    int names = 0;
    for (int i = 0; i < depth; ++i) {
      const int wide = i * 14 + static_cast<int>(loop_name(i).size()) * letter + 24;
      names = wide > names ? wide : names;
    }
    const int cells_at = margin + names + 10;
    const auto room = static_cast<std::size_t>(std::max(1, (width - margin - cells_at) / cell_width));
    const std::size_t shown = arrays <= room ? arrays : room - 1;  // and the output, which is the last
    for (std::size_t k = 0; k < shown + (shown < arrays); ++k) {
      const std::size_t at = array_at(k, shown, arrays);
      const int middle = cells_at + static_cast<int>(k) * cell_width + cell_width / 2;
      const bool is_gap = shown < arrays && k + 1 == shown;
      const std::string name = is_gap ? "..." : at + 1 == arrays ? "output" : std::to_string(at).insert(0, 1, '#');
      body_ += text_at(middle, y_ + 14, "extent", name);
      if (is_gap) continue;
      body_ += text_at(middle, y_ + 30, "extent faint", to_string(x_.arrays[at].type));
      body_ += text_at(middle, y_ + 46, "extent faint", x_.arrays[at].reading.substr(0, 9));
    }
    y_ += 54;
    const int stage_lines = static_cast<int>(stage_texts().size());
    int bottom = y_ + depth * row_height + stage_lines * line + depth * 5 + 3;
    for (int i = 0; i < depth; ++i) {
      body_ += svg::box(margin + i * 14, y_, width - 2 * margin - i * 20, bottom - y_, "loop");
      body_ += text_at(margin + i * 14 + 10, y_ + 19, "name", loop_name(i));
      const list<index>& steps = x_.loops[static_cast<std::size_t>(i)].steps;
      for (std::size_t k = 0; k < shown + (shown < arrays); ++k) {
        const std::size_t at = array_at(k, shown, arrays);
        if ((shown < arrays && k + 1 == shown) || at >= steps.size()) continue;
        const int x = cells_at + static_cast<int>(k) * cell_width;
        const bool repeats = steps[at] == 0;
        std::string step = std::to_string(steps[at]);
        if (steps[at] > 0) step.insert(0, 1, '+');
        body_ += svg::box(x + 3, y_ + 4, cell_width - 6, row_height - 7, repeats ? "repeated" : "axis") +
                 text_at(x + cell_width / 2, y_ + 19, repeats ? "extent faint" : "extent", step);
      }
      y_ += row_height;
      bottom -= 5;
    }
    const int inside = margin + (depth > 0 ? depth - 1 : 0) * 14 + 10;
    for (const std::string& text : stage_texts()) say(inside, "type", text);
    y_ += depth * 5 + 6;
    if (x_.shared_stages > 0)
      say(margin + 12, "type",
          std::to_string(x_.shared_stages) + (x_.shared_stages == 1 ? " stage" : " stages") + " computed before, once");
  }
  std::string loop_name(int i) const { return "for " + std::to_string(x_.loops[static_cast<std::size_t>(i)].extent); }
  // Which array stands in column k, when `shown` of all fit: the output is always there.
  static std::size_t array_at(std::size_t k, std::size_t shown, std::size_t arrays) {
    return shown < arrays && k == shown ? arrays - 1 : k;
  }
  // What runs inside of all loops.
  list<std::string> stage_texts() const {
    list<std::string> lines;
    const std::size_t letters = letters_in_a_line - 4 - 2 * x_.loops.size();
    for (std::size_t k = 0; k < x_.stages.size() && k < 8; ++k)
      for (const std::string& text : wrapped(x_.stages[k], letters, 2)) lines.push_back(text);
    if (x_.stages.size() > 8) lines.push_back("... " + std::to_string(x_.stages.size() - 8) + " stages more");
    return lines;
  }

  // The rows and columns that the blocks cut, and who computes them.
  void blocks() {
    title("runs on");
    const int top = y_;
    int texts_at = margin + 12;
    if (!x_.blocks.empty() && !x_.loops.empty() && x_.block_count > 0) {
      const index columns = std::max<index>(1, x_.loops.back().extent);
      constexpr int space = 200, high = 96;
      const index across = std::max<index>(
          1, std::min<index>((columns + x_.block_columns - 1) / std::max<index>(1, x_.block_columns), x_.block_count));
      const index down = std::max<index>(1, (x_.block_count + across - 1) / across);
      const int shown_across = static_cast<int>(std::min<index>(across, 8)),
                shown_down = static_cast<int>(std::min<index>(down, 6));
      const int block_wide = space / shown_across, block_high = high / shown_down;
      for (int r = 0; r < shown_down; ++r)
        for (int c = 0; c < shown_across; ++c) {
          if (down > shown_down && r == shown_down - 2) continue;  // the dots
          body_ += svg::box(margin + 12 + c * block_wide, y_ + 4 + r * block_high, block_wide - 2, block_high - 2,
                            r == 0 && c == 0 ? "axis" : "loop");
        }
      if (down > shown_down)
        body_ += text_at(margin + 12 + space / 2, y_ + 4 + (shown_down - 2) * block_high + block_high / 2 + 4,
                         "extent faint", "...");
      if (across > shown_across) body_ += text_at(margin + 12 + space + 8, y_ + 4 + high / 2, "type", "...");
      texts_at += space + 30;
      say(texts_at, "name",
          std::to_string(x_.block_count) + (x_.block_count == 1 ? " block (" : " blocks (") + x_.blocks + ")");
      say(texts_at, "name",
          "of at most " + std::to_string(x_.block_rows) + " x " + std::to_string(x_.block_columns) + ",");
      say(texts_at, "name", std::to_string(x_.chunk) + " elements at a time");
    }
    say(texts_at, "name",
        std::to_string(x_.threads) + (x_.threads == 1 ? " thread" : " threads") + ", " + to_string(x_.level) + ", " +
            std::to_string(x_.lanes) + (x_.lanes == 1 ? " lane" : " lanes"));
    if (x_.streamed) say(texts_at, "name", "streaming stores");
    if (!x_.maths.empty()) say(texts_at, "name", "maths by " + x_.maths);
    if (texts_at > margin + 12) y_ = std::max(y_, top + 108);
  }

  void bytes() {
    title("moves");
    const index most = std::max<index>(1, std::max({x_.bytes_read, x_.bytes_written, x_.temporary_bytes}));
    const auto bar = [&](const char* name, index n) {
      constexpr int longest = 300;
      const int wide =
          n == 0 ? 1 : std::max(2, static_cast<int>(static_cast<double>(n) / static_cast<double>(most) * longest));
      body_ += svg::box(margin + 110, y_ + 3, wide, 14, "axis") + text_at(margin + 12, y_ + 14, "name", name);
      say(margin + 110 + wide + 10, "type", bytes_text(n));
    };
    bar("read", x_.bytes_read);
    bar("written", x_.bytes_written);
    if (x_.temporary_bytes > 0) bar("temporaries", x_.temporary_bytes);
    if (x_.calls > 0)
      say(margin + 12, "type", std::to_string(x_.calls) + (x_.calls == 1 ? " call" : " calls") + " of functions");
  }

  const explanation& x_;
  std::string body_;
  int y_ = margin - 6;
};

}  // namespace

std::string plan_picture(const explanation& x) { return plan_drawing(x).svg(); }

}  // namespace broadloom::runtime
