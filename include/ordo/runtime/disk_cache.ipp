#pragma once
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include "ordo/runtime/disk_cache.hpp"

namespace ordo::runtime {
namespace detail_disk_cache {
struct Head {
  char magic[8];                 // "ordo" and the version of this form
  ir::Digest key;
  u64 bytes;
  ir::Digest checksum;           // of the object
};
inline constexpr char magic[8] = {'o', 'r', 'd', 'o', '.', 'o', '.', '1'};

inline std::string path_of(const std::string& folder, const ir::Digest& key) {
  char name[33];
  ir::hex(key, name);
  return folder + "/" + name + ".ordo";
}
inline void warn_once(const std::string& folder, const char* doing, int error) {
  static std::atomic<bool> warned{false};
  if (warned.exchange(true)) return;
  std::fprintf(stderr, "ordo: warning: cannot %s the cache in %s (%s); compiling without it\n", doing, folder.c_str(),
               std::strerror(error));
}
inline bool make_folder(const std::string& folder) {
  for (std::size_t end = 1; end != std::string::npos;) {
    end = folder.find('/', end + 1);
    const std::string part = folder.substr(0, end);
    if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST && end == std::string::npos) return false;
  }
  return true;
}
inline bool write_all(int file, const void* data, std::size_t bytes) {
  for (const char* next = static_cast<const char*>(data); bytes > 0;) {
    const ssize_t n = ::write(file, next, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    next += n;
    bytes -= static_cast<std::size_t>(n);
  }
  return true;
}
inline bool read_file(const std::string& path, std::string& bytes) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return false;
  struct stat facts;
  bool good = ::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size >= static_cast<off_t>(sizeof(Head)) &&
              facts.st_size < off_t{1} << 31;
  if (good) bytes.resize(static_cast<std::size_t>(facts.st_size));
  for (std::size_t have = 0; good && have < bytes.size();) {
    const ssize_t n = ::read(file, bytes.data() + have, bytes.size() - have);
    if (n < 0 && errno == EINTR) continue;
    good = n > 0;
    if (good) have += static_cast<std::size_t>(n);
  }
  ::close(file);
  return good;
}
inline std::string temporary_name(const std::string& path) {
  static std::atomic<unsigned> counter{0};
  struct timespec now {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return path + "." + std::to_string(::getpid()) + "." + std::to_string(counter++) + "." + std::to_string(now.tv_nsec) + ".tmp";
}
}  // namespace detail_disk_cache

ORDO_INLINE std::string user_cache_folder() {
  if (const char* own = std::getenv("ORDO_CACHE_DIR")) return own;
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && xdg[0] == '/') return std::string(xdg) + "/ordo";
  if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/') return std::string(home) + "/.cache/ordo";
  return "";
}
ORDO_INLINE bool read_entry(const std::string& folder, const ir::Digest& key, std::string& object) {
  using namespace detail_disk_cache;
  std::string bytes;
  Head head;
  if (folder.empty() || !read_file(path_of(folder, key), bytes)) return false;
  std::memcpy(&head, bytes.data(), sizeof head);
  if (std::memcmp(head.magic, magic, sizeof magic) != 0 || head.key != key || head.bytes != bytes.size() - sizeof head) return false;
  if (ir::digest_of(bytes.data() + sizeof head, head.bytes) != head.checksum) return false;
  object.assign(bytes, sizeof head, head.bytes);
  return true;
}
ORDO_INLINE void write_entry(const std::string& folder, const ir::Digest& key, const std::string& object) {
  using namespace detail_disk_cache;
  if (folder.empty()) return;
  Head head{{}, key, object.size(), ir::digest_of(object.data(), object.size())};
  std::memcpy(head.magic, magic, sizeof magic);
  const std::string path = path_of(folder, key), beside = temporary_name(path);
  int file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0 && errno == ENOENT && make_folder(folder)) file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return warn_once(folder, "write to", errno);
  bool good = write_all(file, &head, sizeof head) && write_all(file, object.data(), object.size());
  int error = errno;
  if (::close(file) != 0 && good) {
    good = false;
    error = errno;
  }
  if (good && ::rename(beside.c_str(), path.c_str()) == 0) return;
  if (good) error = errno;
  ::unlink(beside.c_str());
  warn_once(folder, "write to", error);
}
}  // namespace ordo::runtime
