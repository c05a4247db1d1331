// Signals: Fourier transforms. Not part of broadloom.hpp.
#pragma once

#include <broadloom/signal/fourier.hpp>
