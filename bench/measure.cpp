#include "bench/measure.hpp"
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>

namespace bench {
double seconds_now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown";
}

std::vector<double> measure(const std::vector<Contender>& contenders, int samples, int threads) {
  constexpr double sample_seconds = 4e-3;
  std::vector<long> runs;
  std::vector<double> once;
  for (const Contender& c : contenders) {
    c.run();
    double begin = seconds_now();
    c.run();
    double s = seconds_now() - begin;
    long n = 1;
    while (s < sample_seconds && n < 1'000'000'000) {     // the first runs are slow: count again with more
      n = std::max(2 * n, static_cast<long>(sample_seconds / std::max(s / static_cast<double>(n), 1e-9)));
      begin = seconds_now();
      for (long r = 0; r < n; ++r) c.run();
      s = seconds_now() - begin;
    }
    runs.push_back(n);
    once.push_back(s / static_cast<double>(n));
  }
  std::vector<std::vector<double>> took(contenders.size());
  for (int sample = 0; sample < samples; ++sample)
    for (std::size_t c = 0; c < contenders.size(); ++c) {
      // Idle workers of the last contender still spin for a while; let them fall asleep.
      if (threads > 1) std::this_thread::sleep_for(std::chrono::milliseconds(40));
      if (once[c] < 0.05) contenders[c].run();            // its data and code back into the caches
      const double begin = seconds_now();
      for (long r = 0; r < runs[c]; ++r) contenders[c].run();
      took[c].push_back((seconds_now() - begin) / static_cast<double>(runs[c]));
    }
  std::vector<double> result;
  for (std::vector<double>& t : took) result.push_back(median(std::move(t)));
  return result;
}

Options parse(int argc, char** argv, const char* modes) {
  Options options;
  const int all = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  options.threads = all > 1 ? std::vector<int>{1, all} : std::vector<int>{1};
  for (int n = 1; n < argc; ++n) {
    const std::string word = argv[n];
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals);
    std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (key != "--all-peers" && equals == std::string::npos && n + 1 < argc) value = argv[++n];
    if (key == "--samples") options.samples = std::max(10, std::atoi(value.c_str()));
    else if (key == "--filter") options.filter = value;
    else if (key == "--mode") options.mode = value;
    else if (key == "--json") options.json = value;
    else if (key == "--all-peers") options.all_peers = true;
    else if (key == "--threads") {
      options.threads.clear();
      for (char* at = value.data(); *at != '\0';) {
        options.threads.push_back(static_cast<int>(std::strtol(at, &at, 10)));
        if (*at == ',') ++at;
        else break;
      }
    } else {
      std::fprintf(stderr, "%s [--filter TEXT] [--threads 1,2] [--samples N] [--json FILE] [--all-peers]%s%s\n", argv[0],
                   *modes ? " [--mode M], M one of: " : "", modes);
      std::exit(2);
    }
  }
  return options;
}

Report::Report(std::string program, Options options) : program_(std::move(program)), options_(std::move(options)) {}

bool Report::wants(const std::string& name) const { return name.find(options_.filter) != std::string::npos; }

void Report::note(const std::string& line) {
  std::printf("# %s\n", line.c_str());
  std::fflush(stdout);
  notes_.push_back(line);
}

void Report::compare(const Case& c) {
  if (!wants(c.name)) return;
  ++done_;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  if (terminal) std::fprintf(stderr, "\r\033[K%d/%d %s", done_, std::max(done_, expected_), c.name.c_str());
  std::vector<Contender> all{c.ours};
  all.insert(all.end(), c.peers.begin(), c.peers.end());
  std::vector<double> took = measure(all, options_.samples, c.threads);
  if (terminal) std::fprintf(stderr, "\r\033[K");
  const bool rate = c.work > 0;
  const double scale = c.unit == "ns" ? 1e9 : c.unit == "ms" ? 1e3 : 1;
  auto value_of = [&](double s) { return rate ? c.work / s : s * scale; };
  const double ours = value_of(took[0]);
  const double fraction = c.peak > 0 ? (rate ? ours / c.peak : c.peak / ours) : 0;
  if (c.peers.empty()) return print({c.name, "none", c.unit, ours, 0, 1, fraction});
  const auto best = static_cast<std::size_t>(std::min_element(took.begin() + 1, took.end()) - took.begin());
  for (std::size_t p = 1; p < took.size(); ++p)
    if (options_.all_peers || p == best) print({c.name, all[p].name, c.unit, ours, value_of(took[p]), took[p] / took[0], fraction});
}

void Report::value(const Result& result) {
  if (wants(result.name)) print(result);
}

void Report::print(const Result& r) {
  std::printf("case=%s ours=%.4g peer=%s theirs=%.4g ratio=%.3f peak=%.3f unit=%s\n", r.name.c_str(), r.ours, r.peer.c_str(), r.theirs,
              r.ratio, r.peak, r.unit.c_str());
  std::fflush(stdout);
  results_.push_back(r);
}

int Report::finish() {
  double least = results_.empty() ? 0 : results_[0].ratio, logs = 0;
  for (const Result& r : results_) {
    least = std::min(least, r.ratio);
    logs += std::log(r.ratio);
  }
  const double geomean = results_.empty() ? 0 : std::exp(logs / static_cast<double>(results_.size()));
  std::printf("min_ratio=%.3f geomean_ratio=%.3f cases=%zu\n", least, geomean, results_.size());
  if (!options_.json.empty()) {
    std::ofstream out(options_.json);
    out << "{\"program\": \"" << program_ << "\", \"cpu\": \"" << cpu_name() << "\",\n \"notes\": [";
    for (std::size_t n = 0; n < notes_.size(); ++n) out << (n ? ", " : "") << '"' << notes_[n] << '"';
    out << "],\n \"cases\": [\n";
    for (std::size_t n = 0; n < results_.size(); ++n) {
      const Result& r = results_[n];
      out << "  {\"case\": \"" << r.name << "\", \"ours\": " << r.ours << ", \"peer\": \"" << r.peer << "\", \"theirs\": " << r.theirs
          << ", \"ratio\": " << r.ratio << ", \"peak\": " << r.peak << ", \"unit\": \"" << r.unit << "\"}"
          << (n + 1 < results_.size() ? ",\n" : "\n");
    }
    out << " ],\n \"min_ratio\": " << least << ", \"geomean_ratio\": " << geomean << "}\n";
    if (!out) {
      std::fprintf(stderr, "cannot write %s\n", options_.json.c_str());
      return 1;
    }
  }
  return results_.empty() ? 1 : 0;
}
}  // namespace bench
