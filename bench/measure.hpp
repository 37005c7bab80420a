// Measures contenders side by side in one process, alternating, and prints benchmarks' lines:
//   case=<name> ours=<value> peer=<name> theirs=<value> ratio=<ours better is > 1> peak=<fraction> unit=<unit>
//   min_ratio=<r> geomean_ratio=<r> cases=<n>
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace bench {
struct Options {
  int samples = 11;                    // timed samples of each contender; the median counts
  std::vector<int> threads;            // one, then all
  std::string filter;                  // only cases whose name contains it
  std::string mode;                    // the program's own
  std::string json;                    // a file to write, or empty
  bool all_peers = false;              // a line for each peer instead of the best one
};
// --samples=N --threads=1,2 --filter=TEXT --mode=NAME --json=FILE --all-peers; exits with the list on anything else.
Options parse(int argc, char** argv, const char* modes = "");

struct Contender {
  std::string name;
  std::function<void()> run;           // the same work each time, warmed up by the first run
};
struct Case {
  std::string name;
  std::string unit;                    // "GFLOP/s": a rate, higher is better; "ms", "ns": a time, lower is better
  double work = 0;                     // what a rate counts in a run, in the unit times seconds
  double peak = 0;                     // best possible value of the unit, 0: unknown
  int threads = 1;
  Contender ours;
  std::vector<Contender> peers;
};
struct Result {
  std::string name, peer, unit;
  double ours, theirs, ratio, peak;
};

class Report {
 public:
  Report(std::string program, Options options);
  bool wants(const std::string& name) const;
  void expect(int cases) { expected_ = cases; }      // for the progress line
  void compare(const Case& c);
  void value(const Result& result);                  // measured elsewhere
  void note(const std::string& line);                // kept in the JSON: versions, peaks
  int finish();                                      // the summary; the program's exit status

 private:
  void print(const Result& result);
  std::string program_;
  Options options_;
  std::vector<Result> results_;
  std::vector<std::string> notes_;
  int expected_ = 0, done_ = 0;
};

double median(std::vector<double> values);
double seconds_now();
// Seconds a run of each contender, medians of `samples`, sampled in turn. Short runs are repeated within a sample.
std::vector<double> measure(const std::vector<Contender>& contenders, int samples, int threads);
std::string cpu_name();
int program(int argc, char** argv);    // what a benchmark does; called by main.cpp
}  // namespace bench
