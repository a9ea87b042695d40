//! What stands in for Deno's ops where they would act on the whole process, which is the host's.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use deno_core::{OpState, op2, v8};
use deno_error::JsErrorBox;
use deno_os::ExitCode;
use deno_permissions::PermissionsContainer;

use super::common_js::{op_hookhost_require_real_path, op_hookhost_require_stat};
use super::compile::op_hookhost_compile_function;
use super::descriptors::{
    op_hookhost_fchmod, op_hookhost_fchmod_sync, op_hookhost_fchown, op_hookhost_fchown_sync, op_hookhost_futimes,
    op_hookhost_futimes_sync, op_hookhost_guess_handle_type,
};
use super::files::{
    MostBytes, op_hookhost_read_file, op_hookhost_read_file_sync, op_hookhost_read_open_file,
    op_hookhost_read_open_file_sync, read_path,
};
use super::messages::op_hookhost_send_text;
use crate::ops::{Exit, Host};

/// The hook's own environment.
pub(super) struct ProcessEnv(BTreeMap<String, String>);

impl ProcessEnv {
    pub(super) fn new(variables: BTreeMap<String, String>) -> Self {
        Self(variables)
    }

    /// The name under which a variable is kept. On Windows, names that differ in case are the same.
    fn name(&self, name: &str) -> String {
        let same = |known: &&String| cfg!(windows) && known.eq_ignore_ascii_case(name);
        self.0.keys().find(same).map_or_else(|| name.to_owned(), String::clone)
    }

    fn get(&self, name: &str) -> Option<String> {
        self.0.get(&self.name(name)).cloned()
    }

    /// The Node on the hook's path.
    fn node(&self) -> Option<PathBuf> {
        let path = self.get("PATH")?;
        let name = if cfg!(windows) { "node.exe" } else { "node" };
        std::env::split_paths(&path).map(|folder| folder.join(name)).find(|node| node.is_absolute() && node.is_file())
    }
}

/// `process.execPath`: what runs a script. That is Node, and never the host: a hook that starts itself again would start
/// that.
#[op2]
#[string]
fn op_hookhost_exec_path(state: &mut OpState) -> String {
    let node = state.borrow::<ProcessEnv>().node().unwrap_or_else(|| PathBuf::from("node"));
    node.to_string_lossy().into_owned()
}

#[op2]
#[serde]
fn op_hookhost_env(state: &mut OpState) -> BTreeMap<String, String> {
    state.borrow::<ProcessEnv>().0.clone()
}

#[op2]
#[string]
fn op_hookhost_get_env(state: &mut OpState, #[string] name: &str) -> Option<String> {
    state.borrow::<ProcessEnv>().get(name)
}

#[op2(fast)]
fn op_hookhost_set_env(state: &mut OpState, #[string] name: &str, #[string] value: &str) -> Result<(), JsErrorBox> {
    if name.is_empty() || name.contains(['=', '\0']) || value.contains('\0') {
        return Err(JsErrorBox::type_error(format!("process.env: {name:?} cannot be set to {value:?}")));
    }
    set(state, name, value);
    Ok(())
}

/// The values lie in Rust, and count.
fn set(state: &mut OpState, name: &str, value: &str) {
    let env = state.borrow_mut::<ProcessEnv>();
    let name = env.name(name);
    let bytes = (name.len() + value.len()) as f64;
    let before = env.0.insert(name.clone(), value.to_owned()).map_or(0.0, |before| (name.len() + before.len()) as f64);
    state.borrow::<Host>().outside_memory(bytes - before);
}

/// `process.loadEnvFile`: into the hook's own environment, what is not in there yet.
#[op2(nofast)]
fn op_hookhost_load_env_file(state: &mut OpState, #[string] path: &str) -> Result<(), JsErrorBox> {
    let content = read_path(state, path, None, "process.loadEnvFile")?;
    let mut variables = Vec::new();
    deno_dotenv::parse_env_content_hook(&String::from_utf8_lossy(&content), &mut |name, value| {
        let until_nul = |text: &str| text.split('\0').next().unwrap_or_default().to_owned();
        variables.push((until_nul(name), until_nul(value)));
    });
    for (name, value) in variables {
        if !name.is_empty() && state.borrow::<ProcessEnv>().get(&name).is_none() {
            set(state, &name, &value);
        }
    }
    Ok(())
}

#[op2(fast)]
fn op_hookhost_delete_env(state: &mut OpState, #[string] name: &str) {
    let env = state.borrow_mut::<ProcessEnv>();
    let name = env.name(name);
    env.0.remove(&name);
}

/// `process.exit`, by whatever way.
#[op2(nofast, reentrant)]
fn op_hookhost_exit(scope: &mut v8::PinScope<'_, '_>, state: Rc<RefCell<OpState>>) {
    let code = state.borrow().try_borrow::<ExitCode>().map_or(0, ExitCode::get);
    end(scope, &state, Exit::Code(code));
}

#[op2(nofast, reentrant)]
fn op_hookhost_abort(scope: &mut v8::PinScope<'_, '_>, state: Rc<RefCell<OpState>>) {
    end(scope, &state, Exit::Abort);
}

/// `process.kill`, of the hook's own process or of another one. Returns 0 or the number of an error.
#[op2(nofast, reentrant)]
#[smi]
fn op_hookhost_kill(
    scope: &mut v8::PinScope<'_, '_>,
    state: Rc<RefCell<OpState>>,
    #[smi] process: i32,
    #[smi] signal: i32,
) -> Result<i32, JsErrorBox> {
    if !is_own(process) {
        let mut permissions = state.borrow().borrow::<PermissionsContainer>().clone();
        permissions.check_run_all("process.kill").map_err(JsErrorBox::from_err)?;
        return kill(process, signal);
    }
    // Signal 0 asks whether it is there.
    if signal != 0 {
        end(scope, &state, Exit::Signal(signal));
    }
    Ok(0)
}

/// True for this process, and for its group and for all processes, which it belongs to.
fn is_own(process: i32) -> bool {
    if process == -1 || process == 0 || u32::try_from(process) == Ok(std::process::id()) {
        return true;
    }
    // On Linux, the number of a thread stands for its process.
    if Path::new("/proc/self/task").join(process.to_string()).exists() {
        return true;
    }
    #[cfg(unix)]
    if process.checked_neg() == Some(nix::unistd::getpgrp().as_raw()) {
        return true;
    }
    false
}

#[cfg(unix)]
fn kill(process: i32, signal: i32) -> Result<i32, JsErrorBox> {
    use nix::sys::signal::{Signal, kill};

    let signal = match signal {
        0 => None,
        number => Some(Signal::try_from(number).map_err(|_| JsErrorBox::type_error("there is no such signal"))?),
    };
    Ok(kill(nix::unistd::Pid::from_raw(process), signal).map_or_else(|error| error as i32, |()| 0))
}

#[cfg(not(unix))]
fn kill(_process: i32, _signal: i32) -> Result<i32, JsErrorBox> {
    Err(JsErrorBox::generic(
        "process.kill of another process is not available on this system; a child has its own kill()",
    ))
}

/// Nothing of the hook's runs after this, not even a `finally`.
fn end(scope: &mut v8::PinScope<'_, '_>, state: &Rc<RefCell<OpState>>, how: Exit) {
    let host = state.borrow().borrow::<Host>().clone();
    host.exit(how);
    scope.terminate_execution();
    // V8 looks up when code runs, and not when a function of ours returns.
    if let Some(source) = v8::String::new(scope, "for (;;);")
        && let Some(script) = v8::Script::compile(scope, source, None)
    {
        let _ = script.run(scope);
    }
}

/// Frames that are looked through for one with a name: Deno's scripts compile some small functions from text.
const FRAMES: usize = 8;

/// Whether whoever has called the function that asks is one of Deno's scripts.
#[op2(nofast, reentrant)]
fn op_hookhost_asked_by_deno(scope: &mut v8::PinScope<'_, '_>) -> bool {
    let Some(stack) = v8::StackTrace::current_stack_trace(scope, FRAMES) else { return false };
    let script = (1..stack.get_frame_count()).find_map(|index| {
        let frame = stack.get_frame(scope, index)?;
        Some(frame.get_script_name(scope)?.to_rust_string_lossy(scope))
    });
    script.is_some_and(|script| script.starts_with("ext:") || script.starts_with("node:"))
}

/// The mask of the host's process can be read, and not be set.
#[op2]
fn op_hookhost_umask(mask: Option<u32>) -> Result<u32, JsErrorBox> {
    match mask {
        None => umask().ok_or_else(|| JsErrorBox::generic("process.umask() is not known on this system")),
        Some(_) => Err(JsErrorBox::generic(
            "process.umask(mask) is not available in a hook: it belongs to the host's process; give a mode where a file is \
             made",
        )),
    }
}

/// Asking the system for it would set it too, for all threads.
fn umask() -> Option<u32> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("Umask:"))?;
    u32::from_str_radix(mask.trim(), 8).ok()
}

/// The title is that of the host's process.
#[op2(fast)]
fn op_hookhost_set_title(#[string] _title: &str) {}

#[op2(fast)]
fn op_hookhost_tell_nobody() {}

/// An op that says why there is no such thing here.
macro_rules! refuse {
    ($($op:ident: $why:literal;)*) => {
        $(
            #[op2(nofast)]
            fn $op() -> Result<(), JsErrorBox> {
                Err(JsErrorBox::generic($why))
            }
        )*
    };
}

refuse! {
    op_hookhost_no_chdir: "process.chdir() is not available in a hook: the working directory is that of the host; use absolute paths, from process.cwd()";
    op_hookhost_no_signals: "a hook cannot listen to signals: they are for the host";
    op_hookhost_no_addons: "native addons cannot be loaded in a hook: nothing could end them or hold them to limits; use a package in JavaScript or WebAssembly";
    op_hookhost_no_workers: "workers are not available in a hook: it runs on one thread, under its limits";
    op_hookhost_no_ports: "MessageChannel and BroadcastChannel are not available in a hook: nothing runs beside it";
    op_hookhost_no_numbers: "a socket cannot be made from the number of a descriptor in a hook: the numbers are those of the host";
    op_hookhost_no_stripping: "module.stripTypeScriptTypes() is not available in a hook: import the TypeScript file";
    op_hookhost_no_inspector: "the inspector is not available in a hook";
    op_hookhost_no_flags: "V8's flags belong to the whole process, and a hook cannot set them";
    op_hookhost_no_heap_snapshot: "heap snapshots are not available in a hook";
    op_hookhost_no_terminal: "there is no terminal in a hook: it is the host's; what a hook prints is its log";
    op_hookhost_no_user: "a hook cannot change the user, the group or the priority of the host's process, or end it";
}

deno_core::extension!(
    hookhost_node,
    ops = [
        op_hookhost_env,
        op_hookhost_get_env,
        op_hookhost_set_env,
        op_hookhost_delete_env,
        op_hookhost_load_env_file,
        op_hookhost_asked_by_deno,
        op_hookhost_send_text,
        op_hookhost_read_file,
        op_hookhost_read_file_sync,
        op_hookhost_read_open_file,
        op_hookhost_read_open_file_sync,
        op_hookhost_exec_path,
        op_hookhost_exit,
        op_hookhost_abort,
        op_hookhost_kill,
        op_hookhost_require_real_path,
        op_hookhost_require_stat,
        op_hookhost_guess_handle_type,
        op_hookhost_compile_function,
        op_hookhost_fchmod,
        op_hookhost_fchmod_sync,
        op_hookhost_fchown,
        op_hookhost_fchown_sync,
        op_hookhost_futimes,
        op_hookhost_futimes_sync,
    ],
    esm_entry_point = "ext:hookhost_node/node_globals.js",
    options = { env: ProcessEnv, most_bytes: MostBytes },
    middleware = |op| match op.name {
        "op_env" => op.with_implementation_from(&op_hookhost_env()),
        "op_get_env" | "op_get_env_no_permission_check" => op.with_implementation_from(&op_hookhost_get_env()),
        "op_set_env" => op.with_implementation_from(&op_hookhost_set_env()),
        "op_node_load_env_file" => op.with_implementation_from(&op_hookhost_load_env_file()),
        "op_delete_env" => op.with_implementation_from(&op_hookhost_delete_env()),
        "op_fs_read_file_async" => op.with_implementation_from(&op_hookhost_read_file()),
        "op_fs_read_file_sync" => op.with_implementation_from(&op_hookhost_read_file_sync()),
        "op_node_fs_read_file" => op.with_implementation_from(&op_hookhost_read_open_file()),
        "op_node_fs_read_file_sync" => op.with_implementation_from(&op_hookhost_read_open_file_sync()),
        "op_exec_path" => op.with_implementation_from(&op_hookhost_exec_path()),
        "op_exit" => op.with_implementation_from(&op_hookhost_exit()),
        "op_process_abort" => op.with_implementation_from(&op_hookhost_abort()),
        "op_node_process_kill" => op.with_implementation_from(&op_hookhost_kill()),
        "op_node_guess_handle_type" => op.with_implementation_from(&op_hookhost_guess_handle_type()),
        "op_tty_check_fd_permission" | "op_read_line_prompt" | "op_set_raw" | "op_node_fd_set_blocking" => op.with_implementation_from(&op_hookhost_no_terminal()),
        "op_node_fs_fchmod" => op.with_implementation_from(&op_hookhost_fchmod()),
        "op_node_fs_fchmod_sync" => op.with_implementation_from(&op_hookhost_fchmod_sync()),
        "op_node_fs_fchown" => op.with_implementation_from(&op_hookhost_fchown()),
        "op_node_fs_fchown_sync" => op.with_implementation_from(&op_hookhost_fchown_sync()),
        "op_node_fs_futimes" => op.with_implementation_from(&op_hookhost_futimes()),
        "op_node_fs_futimes_sync" => op.with_implementation_from(&op_hookhost_futimes_sync()),
        "op_compile_function" => op.with_implementation_from(&op_hookhost_compile_function()),
        "op_require_real_path" => op.with_implementation_from(&op_hookhost_require_real_path()),
        "op_require_stat" => op.with_implementation_from(&op_hookhost_require_stat()),
        "op_node_process_set_title" => op.with_implementation_from(&op_hookhost_set_title()),
        "op_kill" => op.with_implementation_from(&op_hookhost_no_user()),
        "op_fs_chdir" => op.with_implementation_from(&op_hookhost_no_chdir()),
        "op_fs_umask" => op.with_implementation_from(&op_hookhost_umask()),
        "op_signal_bind" => op.with_implementation_from(&op_hookhost_no_signals()),
        "op_napi_open" | "op_ffi_load" => op.with_implementation_from(&op_hookhost_no_addons()),
        "op_create_worker" => op.with_implementation_from(&op_hookhost_no_workers()),
        "op_message_port_create_entangled" | "op_broadcast_subscribe" => {
            op.with_implementation_from(&op_hookhost_no_ports())
        }
        "op_inspector_open" | "op_inspector_connect" | "op_inspector_wait" | "op_node_repl_inspector_connect" => {
            op.with_implementation_from(&op_hookhost_no_inspector())
        }
        // It tells an inspector, and takes for granted that there is one.
        "op_inspector_emit_protocol_event" => op.with_implementation_from(&op_hookhost_tell_nobody()),
        // It takes any number, and closes it in the end, whatever the host has there.
        "op_node_udp_open" => op.with_implementation_from(&op_hookhost_no_numbers()),
        // Its parser goes down the stack with every nesting, until the process ends.
        "op_node_strip_typescript_types" => op.with_implementation_from(&op_hookhost_no_stripping()),
        "op_v8_set_flags_from_string" => op.with_implementation_from(&op_hookhost_no_flags()),
        "op_v8_take_heap_snapshot" | "op_v8_set_heap_snapshot_near_heap_limit" => {
            op.with_implementation_from(&op_hookhost_no_heap_snapshot())
        }
        "op_node_process_setegid"
        | "op_node_process_seteuid"
        | "op_node_process_setgid"
        | "op_node_process_setuid"
        | "op_node_os_set_priority" => op.with_implementation_from(&op_hookhost_no_user()),
        _ => op,
    },
    state = |state, options| {
        state.put(options.env);
        state.put(options.most_bytes);
    },
);
