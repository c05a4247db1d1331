// The same function with four kinds of types. LEVEL 0: every size is known at run time only. 1: sizes that a program
// knows are numbers. 2: every size has a name. 3: the same, and axes are found by name.
#pragma once

#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

namespace bl = broadloom;
using namespace bl::literals;

#ifndef LEVEL
#define LEVEL 2
#endif
#ifndef MISTAKE
#define MISTAKE 0
#endif

// A size: its name, and its number if a program knows it, else bl::dyn.
#if LEVEL == 0
#define SIZE(name, number) bl::dyn
#elif LEVEL == 1
#define SIZE(name, number) number
#else
#define SIZE(name, number) bl::size<#name>
#endif
#if LEVEL == 3
#define AXIS(name, number) #name##_axis
#else
#define AXIS(name, number) number##_c
#endif

template <bl::index... E>
using array_of = bl::tensor<float, bl::shape<E...>>;
