// What the pictures of draw and draw_plan share: text and boxes of SVG, and their colours.
#pragma once

#include <string>

namespace broadloom::svg {

inline constexpr int letter = 8;  // about the width of one

std::string escaped(const std::string& text);
std::string text_at(int x, int y, const char* how, const std::string& said);
std::string box(int x, int y, int width, int height, const char* how);
// A whole picture: colours follow the page's scheme, and the picture has its own ground, so that it is readable on any.
std::string picture(const std::string& title, int width, int height, const std::string& body);

}  // namespace broadloom::svg
