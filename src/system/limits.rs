//! What the system lets this process use: memory, processors, open files.
//!
//! A process is bounded by the machine, by its own limits and by each control group on the way from its own up to the root: the
//! tightest counts. The files of the kernel are read below a `root`, which is `/` but in tests. What a system does not say is no
//! limit.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Bytes of memory that may be used when the system does not say what it has.
const UNKNOWN_MEMORY: u64 = 4 << 30;
/// The most that is left to others.
const LARGEST_RESERVE: u64 = 1 << 30;
/// Workers for each processor at most. It is more than one because a system may have more processors than it says.
const MOST_A_PROCESSOR: usize = 4;
/// Open files that are asked for where the system would allow any number.
const MANY_FILES: u64 = 65_536;

/// Bytes of memory this process may use without driving others out: what is available less a reserve.
#[must_use]
pub fn spare_memory() -> u64 {
    let available = available_memory(Path::new("/")).into_iter().chain(address_space()).min();
    let available = available.unwrap_or(UNKNOWN_MEMORY);
    available - (available / 8).min(LARGEST_RESERVE)
}

/// Threads the system runs at once for this process: the processors it may use, or fewer if a control group has a quota.
#[must_use]
pub fn processors() -> usize {
    let allowed = std::thread::available_parallelism().map_or(1, usize::from);
    processor_quota(Path::new("/")).map_or(allowed, |quota| allowed.min(quota))
}

/// Workers to start where so many were asked for: more than a few for each processor only get in each other's way.
#[must_use]
pub fn workers(asked: usize) -> usize {
    asked.min(processors().saturating_mul(MOST_A_PROCESSOR)).max(1)
}

/// Bytes that machine and control groups still have; cached files that nobody needs count as free.
fn available_memory(root: &Path) -> Option<u64> {
    let machine = fs::read_to_string(root.join("proc/meminfo")).ok().and_then(|text| available_in(&text));
    let unified = groups(root, Version::Unified).into_iter().filter_map(|group| {
        let limit = ["memory.max", "memory.high"].into_iter().filter_map(|name| number_in(&group.join(name))).min()?;
        let used = number_in(&group.join("memory.current"))?;
        let stat = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
        Some(limit.saturating_sub(used.saturating_sub(named_in(&stat, "inactive_file").unwrap_or(0))))
    });
    let old = groups(root, Version::Controller("memory")).into_iter().filter_map(|group| {
        let stat = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
        let own = number_in(&group.join("memory.limit_in_bytes"));
        let limit = own.into_iter().chain(named_in(&stat, "hierarchical_memory_limit")).min()?;
        let used = number_in(&group.join("memory.usage_in_bytes"))?;
        Some(limit.saturating_sub(used.saturating_sub(named_in(&stat, "total_inactive_file").unwrap_or(0))))
    });
    machine.into_iter().chain(unified).chain(old).min()
}

/// Whole processors that the quotas of the control groups amount to, at least one; `None` without a quota.
fn processor_quota(root: &Path) -> Option<usize> {
    let share = |quota: u64, period: u64| usize::try_from((quota / period.max(1)).max(1)).ok();
    let unified = groups(root, Version::Unified).into_iter().filter_map(|group| {
        let text = fs::read_to_string(group.join("cpu.max")).ok()?;
        let mut words = text.split_whitespace();
        share(words.next()?.parse().ok()?, words.next()?.parse().ok()?)
    });
    let old = groups(root, Version::Controller("cpu")).into_iter().filter_map(|group| {
        // Without a quota it is -1, which is no number here.
        share(number_in(&group.join("cpu.cfs_quota_us"))?, number_in(&group.join("cpu.cfs_period_us"))?)
    });
    unified.chain(old).min()
}

/// The bytes `/proc/meminfo` calls available.
fn available_in(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

/// The number that is all of a file.
fn number_in(file: &Path) -> Option<u64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

/// The number after a name at the beginning of a line.
fn named_in(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.trim().parse().ok())
}

/// A kind of control groups.
#[derive(Clone, Copy)]
enum Version {
    /// Version 2: one tree for everything.
    Unified,
    /// Version 1: a tree for each controller.
    Controller(&'static str),
}

impl Version {
    /// Whether a line of `/proc/self/cgroup`, `number:controllers:path`, is about this kind.
    fn has_group(self, number: &str, controllers: &str) -> bool {
        match self {
            Self::Unified => number == "0" && controllers.is_empty(),
            Self::Controller(name) => controllers.split(',').any(|controller| controller == name),
        }
    }

    /// Whether a mounted file system, of this type and with these options of its own, has the groups of this kind.
    fn has_mount(self, kind: &str, options: &str) -> bool {
        match self {
            Self::Unified => kind == "cgroup2",
            Self::Controller(name) => kind == "cgroup" && options.split(',').any(|option| option == name),
        }
    }

    /// Where such groups are mounted if the system does not tell.
    fn usual_place(self) -> PathBuf {
        match self {
            Self::Unified => "/sys/fs/cgroup".into(),
            Self::Controller(name) => Path::new("/sys/fs/cgroup").join(name),
        }
    }
}

/// The directories of the control groups this process is in, its own first, each within the next.
fn groups(root: &Path, version: Version) -> Vec<PathBuf> {
    let text = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let group = text.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (number, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        version.has_group(number, controllers).then(|| PathBuf::from(path))
    });
    let Some(group) = group else { return Vec::new() };
    let text = fs::read_to_string(root.join("proc/self/mountinfo")).unwrap_or_default();
    let mut mounts: Vec<Mount> = text.lines().filter_map(|line| Mount::of(line, version)).collect();
    if mounts.is_empty() {
        mounts.push(Mount { shown: "/".into(), place: version.usual_place() });
    }
    // A mount that shows the group itself tells more than one that shows another part of the tree.
    let shows = |mount: &Mount| group.starts_with(&mount.shown);
    let mount = mounts.iter().find(|mount| shows(mount)).unwrap_or(&mounts[0]);
    // Seen from a container, the group may lie outside of what is mounted: what is mounted is its own group then.
    let within = group.strip_prefix(&mount.shown).unwrap_or(Path::new(""));
    let sound = within.components().all(|part| matches!(part, Component::Normal(_)));
    let within = if sound { within } else { Path::new("") };
    let place = mount.place.strip_prefix("/").unwrap_or(&mount.place);
    within.ancestors().map(|path| root.join(place).join(path)).collect()
}

/// A mounted tree of control groups.
struct Mount {
    /// The group that its top is.
    shown: PathBuf,
    /// Where it is mounted.
    place: PathBuf,
}

impl Mount {
    /// The mount of a line of `/proc/self/mountinfo`, if it is of this kind.
    fn of(line: &str, version: Version) -> Option<Self> {
        let (before, after) = line.split_once(" - ")?;
        let mut before = before.split(' ').skip(3);
        let (shown, place) = (before.next()?, before.next()?);
        let mut after = after.split(' ');
        let (kind, options) = (after.next()?, after.nth(1).unwrap_or_default());
        version
            .has_mount(kind, options)
            .then(|| Self { shown: unescaped(shown).into(), place: unescaped(place).into() })
    }
}

/// A path as it is, from how the kernel writes it: blanks, line ends and backslashes as three octal digits.
fn unescaped(path: &str) -> String {
    [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")]
        .into_iter()
        .fold(path.to_owned(), |path, (code, character)| path.replace(code, character))
}

/// Bytes that the limit of the address space leaves to this process; `None` without one.
#[cfg(unix)]
fn address_space() -> Option<u64> {
    use rustix::process::{Resource, getrlimit};
    let limit = getrlimit(Resource::As).current?;
    let pages: Option<u64> =
        fs::read_to_string("/proc/self/statm").ok().and_then(|text| text.split(' ').next()?.parse().ok());
    Some(limit.saturating_sub(pages.unwrap_or(0).saturating_mul(rustix::param::page_size() as u64)))
}

#[cfg(not(unix))]
fn address_space() -> Option<u64> {
    None
}

/// Files that this process may have open at once.
#[cfg(unix)]
#[must_use]
pub fn open_files() -> u64 {
    use rustix::process::{Resource, getrlimit};
    getrlimit(Resource::Nofile).current.unwrap_or(MANY_FILES)
}

/// Files that this process may have open at once.
#[cfg(not(unix))]
#[must_use]
pub fn open_files() -> u64 {
    512
}

/// Raises the number of files that this process may have open as far as the system allows; where it does not, all goes on with
/// what there is.
#[cfg(unix)]
pub fn raise_open_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.unwrap_or(MANY_FILES).min(MANY_FILES);
    if limit.current.is_some_and(|current| current < wanted) {
        // Only fewer files are kept open at once without it.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum: limit.maximum });
    }
}

/// Raises the number of files that this process may have open; here the system has no such limit to raise.
#[cfg(not(unix))]
pub fn raise_open_files() {}

/// Whether the system refused something because too many files are open, in this process or in all together.
#[cfg(unix)]
#[must_use]
pub fn is_too_many_open_files(error: &io::Error) -> bool {
    use rustix::io::Errno;
    error.raw_os_error().is_some_and(|code| [Errno::MFILE, Errno::NFILE].map(Errno::raw_os_error).contains(&code))
}

/// Whether the system refused something because too many files are open.
#[cfg(not(unix))]
#[must_use]
pub fn is_too_many_open_files(error: &io::Error) -> bool {
    // ERROR_TOO_MANY_OPEN_FILES of Windows.
    error.raw_os_error() == Some(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A root with these files.
    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    const MEMINFO: (&str, &str) = ("proc/meminfo", "MemTotal: 24576000 kB\nMemAvailable:   20480000 kB\n");
    const UNIFIED: &str = "25 30 0:22 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

    #[test]
    fn available_memory_is_read() {
        assert_eq!(available_in("MemFree: 1 kB\n"), None);
        assert_eq!(available_memory(tree(&[]).path()), None);
        assert_eq!(available_memory(tree(&[MEMINFO]).path()), Some(20_480_000 << 10));
        assert!(spare_memory() > 0 && processors() > 0 && open_files() > 8);
    }

    /// A scope of systemd or a job of Slurm: the process is deep in the tree, and any group above may be the tightest.
    #[test]
    fn the_tightest_group_on_the_way_to_the_root_counts() {
        let deep = "sys/fs/cgroup/user.slice/job 1/step";
        for (limited, limit, left) in [
            (deep, "memory.max", 700 << 20),
            (deep, "memory.high", 700 << 20),
            ("sys/fs/cgroup/user.slice/job 1", "memory.max", 600 << 20),
            ("sys/fs/cgroup/user.slice", "memory.max", 600 << 20),
            ("sys/fs/cgroup", "memory.max", 600 << 20),
        ] {
            let root = tree(&[
                MEMINFO,
                ("proc/self/cgroup", "0::/user.slice/job 1/step\n"),
                ("proc/self/mountinfo", UNIFIED),
                (&format!("{deep}/memory.max"), "max\n"),
                (&format!("{deep}/memory.current"), &format!("{}\n", 400 << 20)),
                (&format!("{deep}/memory.stat"), &format!("anon 5\ninactive_file {}\nfile 1\n", 76 << 20)),
            ]);
            if limited != deep {
                fs::write(root.path().join(limited).join("memory.current"), (424u64 << 20).to_string()).unwrap();
            }
            fs::write(root.path().join(limited).join(limit), format!("{}\n", 1024u64 << 20)).unwrap();
            assert_eq!(available_memory(root.path()), Some(left), "{limited}/{limit}");
        }
    }

    #[test]
    fn groups_of_version_1_and_of_containers() {
        let path = "/docker/0123";
        let own = ("proc/self/cgroup", "9:cpu,cpuacct:/docker/0123\n4:memory:/docker/0123\n0::/\n");
        let limit = &(512u64 << 20).to_string();
        // What is mounted is the whole tree, or, within a container, its own part.
        for (shown, place) in [("/", "sys/fs/cgroup/memory/docker/0123"), (path, "sys/fs/cgroup/memory")] {
            let mounts = format!(
                "40 30 0:35 {shown} /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n\
                 41 30 0:36 {shown} /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct\n"
            );
            let cpu = place.replace("memory", "cpu,cpuacct");
            let root = tree(&[
                MEMINFO,
                own,
                ("proc/self/mountinfo", &mounts),
                (&format!("{place}/memory.limit_in_bytes"), limit),
                (&format!("{place}/memory.usage_in_bytes"), "2000"),
                (
                    &format!("{place}/memory.stat"),
                    "hierarchical_memory_limit 9223372036854771712\ntotal_inactive_file 1000\n",
                ),
                (&format!("{cpu}/cpu.cfs_quota_us"), "350000\n"),
                (&format!("{cpu}/cpu.cfs_period_us"), "100000\n"),
            ]);
            assert_eq!(available_memory(root.path()), Some((512 << 20) - 1000), "{shown}");
            assert_eq!(processor_quota(root.path()), Some(3));
            // Without a list of mounts the usual place is looked at.
            fs::remove_file(root.path().join("proc/self/mountinfo")).unwrap();
            if shown == "/" {
                assert_eq!(available_memory(root.path()), Some((512 << 20) - 1000));
            }
        }
        // The limit of a group above, as this one is told of it.
        let stat = "hierarchical_memory_limit 3000000\n";
        let root = tree(&[
            ("proc/self/cgroup", "4:memory:/a\n"),
            ("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712"),
            ("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "1000000"),
            ("sys/fs/cgroup/memory/a/memory.stat", stat),
        ]);
        assert_eq!(available_memory(root.path()), Some(2_000_000));
    }

    /// A process that was put into a group outside of the container sees a path that leads out of what is mounted.
    #[test]
    fn a_group_outside_of_what_is_mounted_is_not_followed() {
        let root = tree(&[
            ("proc/self/cgroup", "0::/../../other\n"),
            ("proc/self/mountinfo", UNIFIED),
            ("sys/fs/cgroup/memory.max", "5000"),
            ("sys/fs/cgroup/memory.current", "1000"),
        ]);
        assert_eq!(available_memory(root.path()), Some(4000));
    }

    #[test]
    fn quotas_of_processors() {
        for (own, above, quota) in [
            ("max 100000", "max 100000", None),
            ("400000 100000", "max 100000", Some(4)),
            ("400000 100000", "150000 100000", Some(1)),
            ("20000 100000", "max 100000", Some(1)),
        ] {
            let root = tree(&[
                ("proc/self/cgroup", "0::/a/b\n"),
                ("proc/self/mountinfo", UNIFIED),
                ("sys/fs/cgroup/a/b/cpu.max", own),
                ("sys/fs/cgroup/a/cpu.max", above),
            ]);
            assert_eq!(processor_quota(root.path()), quota, "{own}, {above}");
        }
    }
}
