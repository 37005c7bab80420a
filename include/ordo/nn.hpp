// Definitions of networks, each a few lines of the language.
#pragma once
#include "ordo/nn/attention.hpp"
#include "ordo/nn/dropout.hpp"
#include "ordo/nn/flash_attention.hpp"
#include "ordo/nn/linear.hpp"
#include "ordo/nn/loss.hpp"
#include "ordo/nn/norm.hpp"
#include "ordo/nn/pool.hpp"
#include "ordo/nn/softmax.hpp"
