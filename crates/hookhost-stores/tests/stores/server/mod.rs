//! A PostgreSQL server of a test's own. It ends with the test and leaves nothing behind.

mod programs;

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::{env, thread};

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, User, geteuid};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio_postgres::{Client, NoTls};

use self::programs::{INSTALL, WITHOUT_POSTGRES};

/// A server in a folder of its own, which listens on a socket in it.
pub(crate) struct Server {
    programs: PathBuf,
    folder: TempDir,
    /// Who runs it: PostgreSQL refuses to be root.
    user: Option<User>,
    /// Part of the socket's name, too.
    port: u16,
    /// Settings beyond the usual, as on its command line.
    settings: Vec<String>,
    process: Option<Child>,
}

/// Somebody who may write.
pub(crate) struct Admin {
    runtime: Runtime,
    client: Client,
}

impl Server {
    /// Starts a server. `None` on a machine that is excused from having one.
    pub(crate) fn start() -> Option<Self> {
        let mut server = Self::prepare()?;
        server.run();
        Some(server)
    }

    /// A server that does not run yet.
    pub(crate) fn prepare() -> Option<Self> {
        let Some(programs) = programs::folder() else {
            if env::var_os(WITHOUT_POSTGRES).is_some() {
                eprintln!("skipped: no PostgreSQL server is found, and {WITHOUT_POSTGRES} is set");
                return None;
            }
            panic!("no PostgreSQL server is found: {INSTALL}, or set {WITHOUT_POSTGRES} to skip its tests");
        };
        let user = geteuid().is_root().then(|| User::from_name("nobody").unwrap().expect("a user `nobody`"));
        // Not in the usual folder for temporary files: that may be root's alone, or too long for a socket's name.
        let folder = tempfile::Builder::new().prefix("hookhost-").tempdir_in("/tmp").unwrap();
        let server = Self { programs, folder, user, port: 5432, settings: Vec::new(), process: None };
        server.hand_over(server.folder.path());
        let data = server.data();
        let initdb = server
            .command("initdb")
            .args(["--username=hookhost", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync", "--pgdata"])
            .arg(&data)
            .output()
            .unwrap();
        assert!(initdb.status.success(), "initdb: {}", String::from_utf8_lossy(&initdb.stderr));
        Some(server)
    }

    /// Has it listen on a port as well, with settings such as `ssl=on`, from the next start.
    pub(crate) fn listen(&mut self, port: u16, settings: &[String]) {
        self.port = port;
        self.settings = vec!["listen_addresses=127.0.0.1".to_owned()];
        self.settings.extend_from_slice(settings);
    }

    /// Puts a file where the server can read it, and nobody else.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        self.hand_over(&path);
        path
    }

    /// Starts the server, and comes back when it answers.
    pub(crate) fn run(&mut self) {
        let log = File::create(self.log()).unwrap();
        let mut command = self.command("postgres");
        command.arg("-F").arg("-D").arg(self.data()).arg("-k").arg(self.folder.path());
        for setting in ["listen_addresses=", "max_connections=40", "shared_buffers=16MB"] {
            command.args(["-c", setting]);
        }
        command.arg("-p").arg(self.port.to_string());
        for setting in &self.settings {
            command.args(["-c", setting]);
        }
        self.process = Some(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().unwrap());
        while self.try_admin().is_none() {
            let ended = self.process.as_mut().unwrap().try_wait().unwrap();
            assert!(ended.is_none(), "postgres: {}", fs::read_to_string(self.log()).unwrap());
            thread::sleep(std::time::Duration::from_millis(20));
        }
    }

    /// Stops the server. It closes its connections, as when it is restarted.
    pub(crate) fn stop(&mut self) {
        self.end(Signal::SIGINT);
    }

    /// How a store connects.
    pub(crate) fn address(&self) -> String {
        format!("host={} port={} user=hookhost dbname=postgres", self.folder.path().display(), self.port)
    }

    pub(crate) fn admin(&self) -> Admin {
        self.try_admin().expect("a server that runs")
    }

    fn try_admin(&self) -> Option<Admin> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let client = runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(&self.address(), NoTls).await.ok()?;
            tokio::spawn(connection);
            Some(client)
        })?;
        Some(Admin { runtime, client })
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.programs.join(program));
        command.current_dir(self.folder.path()).env("LC_ALL", "C");
        if let Some(user) = &self.user {
            command.uid(user.uid.as_raw()).gid(user.gid.as_raw());
        }
        command
    }

    fn hand_over(&self, path: &Path) {
        if let Some(user) = &self.user {
            chown(path, Some(user.uid.as_raw()), Some(user.gid.as_raw())).unwrap();
        }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    fn end(&mut self, signal: Signal) {
        if let Some(mut process) = self.process.take() {
            // Its own children end with it, which they would not if it were killed.
            let _ = kill(Pid::from_raw(process.id().cast_signed()), signal);
            let _ = process.wait();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end(Signal::SIGQUIT);
    }
}

impl Admin {
    /// Runs statements.
    pub(crate) fn run(&self, sql: &str) {
        self.runtime.block_on(self.client.batch_execute(sql)).unwrap();
    }

    /// Makes a table for each store, and fills it.
    pub(crate) fn fill(&self, stores: &serde_json::Value) {
        for (name, rows) in stores.as_object().unwrap() {
            self.run(&format!("CREATE TABLE \"{name}\" (key text PRIMARY KEY, value jsonb NOT NULL)"));
            self.insert(name, rows);
        }
    }

    /// Adds rows to a table of a key and a value.
    pub(crate) fn insert(&self, table: &str, rows: &serde_json::Value) {
        let sql = format!("INSERT INTO \"{table}\" SELECT key, value FROM jsonb_each($1::text::jsonb)");
        self.runtime.block_on(self.client.execute(&sql, &[&rows.to_string()])).unwrap();
    }

    /// Waits until a query about `pg_stat_activity` and the like says so.
    pub(crate) fn wait_until(&self, condition: &str) {
        let sql = format!("SELECT {condition}");
        while !self.runtime.block_on(self.client.query_one(&sql, &[])).unwrap().get::<_, bool>(0) {
            thread::yield_now();
        }
    }
}
