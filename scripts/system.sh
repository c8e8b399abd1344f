# Sourced by environment.sh: what only the system can bring (Python, a browser, a display) and the words for when it is missing.

# A snap or Flatpak browser runs in a sandbox of its own: it cannot start a native messaging host outside of it.
is_snap() {
  case $(readlink -f "$1" 2>/dev/null || echo "$1") in
    */snap/* | */snap) return 0 ;;
  esac
  head -c 4000 "$1" 2>/dev/null | LC_ALL=C tr -d '\000' | grep -q '/snap/'
}

# The first Chromium-family browser that can be driven.
find_browser() {
  local name path
  for name in chromium chromium-browser google-chrome google-chrome-stable google-chrome-beta microsoft-edge \
    microsoft-edge-stable brave-browser brave-browser-stable vivaldi vivaldi-stable; do
    path=$(command -v "$name" 2>/dev/null) || continue
    if ! is_snap "$path"; then
      echo "$path"
      return
    fi
  done
  for name in "Google Chrome" Chromium "Microsoft Edge" "Brave Browser" Vivaldi; do
    for path in "/Applications/$name.app/Contents/MacOS/$name" "$HOME/Applications/$name.app/Contents/MacOS/$name"; do
      if [ -x "$path" ]; then
        echo "$path"
        return
      fi
    done
  done
  return 1
}

# Names each browser that is here but shut in a sandbox.
sandboxed_browsers() {
  local name path
  for name in chromium chromium-browser brave brave-browser microsoft-edge vivaldi; do
    path=$(command -v "$name" 2>/dev/null) || path=/snap/bin/$name
    if [ -e "$path" ] && is_snap "$path"; then echo "the snap $path"; fi
  done
  for name in org.chromium.Chromium com.google.Chrome com.microsoft.Edge com.brave.Browser com.vivaldi.Vivaldi; do
    for path in "/var/lib/flatpak/exports/bin/$name" "$HOME/.local/share/flatpak/exports/bin/$name"; do
      if [ -e "$path" ]; then echo "the Flatpak $name"; fi
    done
  done
}

explain_sandboxed() {
  local found
  found=$(sandboxed_browsers | sort -u)
  [ -z "$found" ] || say "Found, but of no use here: $(echo "$found" | paste -s -d, - | sed 's/,/, /g')." \
    "A snap or Flatpak browser cannot start a program outside its sandbox, which is how Freehold is connected to it."
}

# missing NEED...: Debian's packages for the needs that are not met.
missing() {
  local need
  for need; do
    case $need in
      python) find_python >/dev/null || echo python3 ;;
      venv) "$(find_python || echo python3)" -c 'import ensurepip, venv' 2>/dev/null || echo python3-venv ;;
      browser) find_browser >/dev/null || printf '%s\n' chromium fonts-liberation ;;
      display) [ "$(uname)" != Linux ] || have Xvfb || echo xvfb ;;
      network) [ "$(uname)" != Linux ] || have ip || echo iproute2 ;;
      terminal) have tmux || echo tmux ;;
    esac
  done
}

# Ubuntu's package of that name only brings the snap.
apt_has() { apt-cache show "$1" >/dev/null 2>&1 && ! apt-cache depends "$1" 2>/dev/null | grep -q snapd; }

apt_install() {
  local package
  step "Reading the package lists" apt-get update -qq
  for package; do
    apt_has "$package" || { explain_sandboxed; elsewhere "$package"; }
  done
  step "Installing $* (apt)" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
}

# The exact words for a system whose packages this script does not install.
elsewhere() {
  case $(uname):$1 in
    Darwin:python3 | Darwin:python3-venv) fail "Python 3.11 or newer is missing. Run: brew install python@3.13" ;;
    Darwin:chromium) fail "No Chromium-family browser is here. Run: brew install --cask google-chrome" ;;
    *:python3) fail "Python 3.11 or newer is missing. Debian 12, Ubuntu 24.04: sudo apt-get install -y python3 python3-venv" \
      "Fedora: sudo dnf install -y python3   Arch: sudo pacman -S python" ;;
    *:python3-venv) fail "$(find_python) has no venv module. Install the package of your system that brings 'venv' and 'ensurepip'." ;;
    *:chromium) fail "No Chromium-family browser is here, and this system's packages bring none that can be used." \
      "Fedora: sudo dnf install -y chromium   Arch: sudo pacman -S chromium" \
      "Ubuntu: get Google Chrome's .deb from its own page, then: sudo apt-get install -y ./google-chrome-stable_current_amd64.deb" ;;
    Darwin:tmux) fail "tmux is missing. Run: brew install tmux" ;;
    *:xvfb) fail "Xvfb is missing. Fedora: sudo dnf install -y xorg-x11-server-Xvfb   Arch: sudo pacman -S xorg-server-xvfb" ;;
    *) fail "$1 is missing: install the package of your system that brings it." ;;
  esac
}

# prepare_system NEED...: installs where it may (root on Debian), else says the command to run.
prepare_system() {
  local packages
  packages=$(missing "$@")
  [ -n "$packages" ] || return 0
  packages=$(echo "$packages" | paste -s -d' ' -)
  if ! have apt-get; then
    explain_sandboxed
    elsewhere "${packages%% *}"
  elif [ "$(id -u)" != 0 ]; then
    explain_sandboxed
    fail "Missing on this system: $packages. Run, then try again:" "  sudo apt-get update && sudo apt-get install -y $packages"
  fi
  # shellcheck disable=SC2086 # names of packages, one word each
  apt_install $packages
  [ -z "$(missing "$@")" ] || fail "Still missing after the installation: $(missing "$@" | paste -s -d' ' -). Python here: $(python3 -V 2>&1)."
}
