// Signals: Fourier transforms, convolutions, pooling, interpolation, windows and their sums. Not part of broadloom.hpp.
#pragma once

#include <broadloom/signal/convolution.hpp>
#include <broadloom/signal/fold.hpp>
#include <broadloom/signal/fourier.hpp>
#include <broadloom/signal/resample.hpp>
