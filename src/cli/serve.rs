//! `kpe serve`: the games in a browser, and a JSON API for programs.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use clap::Args;
use kpe::echo::quoted;
use kpe::system::limits::open_files;
use kpe::web::{self, Host, Limits, ServeError, Settings};

use super::args::PlaceArgs;
use super::exit::{Refused, Status};
use super::output::Output;
use super::progress::tell;
use super::units::{number, parse_size};

/// Port the server listens at unless told otherwise: as many stones as the game has, twice.
const DEFAULT_PORT: u16 = 4848;
/// Files that are open beside tables and connections.
const OTHER_FILES: u64 = 32;
/// Connections that are accepted however few files may be open.
const FEWEST_CONNECTIONS: usize = 4;

/// Serve a page to play and explore the games, and a JSON API
///
/// Prints the address when it is ready and serves until interrupted. Only this machine can reach it, unless --bind says
/// otherwise: it then answers everybody who can reach that address, for there are no users and no passwords. API.md
/// describes the requests that programs can make.
#[derive(Args)]
pub(super) struct ServeArgs {
    /// Address to listen at, with or without a port, such as 0.0.0.0 or [::1]:8080 [default: 127.0.0.1]
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    bind: Option<(IpAddr, Option<u16>)>,
    /// Port to listen at; 0 lets the system choose [default: 4848]
    #[arg(long, value_name = "N", value_parser = number::<u16>(0..=u16::MAX))]
    port: Option<u16>,
    /// Name of this server, if it is asked for by another than localhost; may be given several times
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<Host>,
    /// Searches at a time; more requests wait a moment and are then refused [default: the processors there are]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=1024))]
    searches: Option<u16>,
    /// Connections at a time
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = number::<u16>(1..=u16::MAX))]
    connections: u16,
    /// Memory to remember searched positions in
    #[arg(long, value_name = "SIZE", default_value = "256MiB", value_parser = parse_size)]
    memory: u64,
    #[command(flatten)]
    place: PlaceArgs,
}

fn parse_address(text: &str) -> Result<(IpAddr, Option<u16>), String> {
    let whole = text.parse::<SocketAddr>().map(|address| (address.ip(), Some(address.port())));
    let bare = text.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().map(|address| (address, None));
    let expected = "expected an address such as 127.0.0.1, 0.0.0.0:8080 or [::1]:8080";
    whole.or(bare).map_err(|_| format!("found {}, {expected}", quoted(text)))
}

impl ServeArgs {
    fn address(&self) -> Result<SocketAddr, Refused> {
        let (address, port) = self.bind.unwrap_or((Ipv4Addr::LOCALHOST.into(), None));
        match (port, self.port) {
            (Some(bound), Some(port)) if bound != port => {
                Err(Refused::Usage(format!("--bind says port {bound} and --port {port}; give one of them")))
            }
            (bound, port) => Ok(SocketAddr::new(address, bound.or(port).unwrap_or(DEFAULT_PORT))),
        }
    }

    fn limits(&self) -> Limits {
        let asked = usize::from(self.connections);
        let connections = asked.min(connections_in(open_files()));
        if connections < asked {
            tell(&format!(
                "kpe: warning: this process may have {} files open, enough for {connections} connections, not for {asked}",
                open_files()
            ));
        }
        let limits = Limits { connections, ..Limits::default() };
        let searches = self.searches.map_or(limits.searches, usize::from);
        Limits { searches, ..limits }
    }
}

pub(super) fn run(args: &ServeArgs) -> anyhow::Result<Status> {
    // Says now whether the directory named is there; the tables are opened when they are asked for.
    args.place.check()?;
    let address = args.address()?;
    let running = web::start(Settings {
        address,
        hosts: args.hosts.clone(),
        tables: args.place.root(),
        memory: args.memory,
        limits: args.limits(),
    })
    .map_err(refused)?;
    if !address.ip().is_loopback() {
        tell("kpe: warning: everybody who can reach this address can use the server; it asks for no password");
    }
    // Before anybody knows that it is ready, and so may end it.
    let interrupts = running.interrupts()?;
    let mut out = Output::new();
    out.line(format!("http://{}/", running.address()))?;
    out.finish()?;
    running.until(interrupts);
    Ok(Status::Done)
}

/// Connections there is room for where a process may have so many files open: half of them may be tables.
fn connections_in(open_files: u64) -> usize {
    usize::try_from((open_files / 2).saturating_sub(OTHER_FILES)).unwrap_or(usize::MAX).max(FEWEST_CONNECTIONS)
}

/// Too little memory is wrong usage; what the system does not give is not.
fn refused(error: ServeError) -> anyhow::Error {
    match error {
        ServeError::LittleMemory { .. } => Refused::Usage(format!("--memory: {error}")).into(),
        error => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_room_for_tables_and_the_rest() {
        assert_eq!([0, 64, 256, 1024].map(connections_in), [4, 4, 96, 480]);
    }
}
