// Random numbers beyond rand and randn: distributions as expressions, integers, orders, choices, and independent
// generators. Not part of broadloom.hpp.
#pragma once

#include <broadloom/broadloom.hpp>
#include <broadloom/random/choice.hpp>
#include <broadloom/random/continuous.hpp>
#include <broadloom/random/discrete.hpp>
