// A schedule goes through JSON onto a plain one of the same program and is the same again; its nest and a copy of it are sound.
#pragma once
#include <doctest/doctest.h>
#include <string>
#include "ordo/trace.hpp"

namespace made {
inline void goes_round(const ordo::Schedule& s, ordo::Schedule again) {
  const std::string json = ordo::trace_json(s);
  ordo::replay(again, json.c_str());
  CHECK(std::string(again.text()) == s.text());
  CHECK(ordo::trace_json(again) == json);
  ordo::nest::verify(ordo::nest::nest_of(s.body()));
  ordo::nest::verify(ordo::nest::copy(ordo::nest::nest_of(s.body())));
}
}  // namespace made
