# Tries what an isolated player must not be able to do, prints what came of it, and plays on.

tell() {
    name=$1
    shift
    if "$@" >/dev/null 2>&1; then echo "$name broken" >&2; else echo "$name held" >&2; fi
}
own=$(dirname "$0")
write() { : >"$1"; }
connect() { exec 3<>"/dev/tcp/127.0.0.1/$LUDOGRAPH_PLAYER_PORT"; }
attack() {
    tell read cat "$LUDOGRAPH_PLAYER_OUTSIDE"
    tell look ls "$(dirname "$LUDOGRAPH_PLAYER_OUTSIDE")"
    tell write_own write "$own/written.sh"
    tell write_cache write "$LUDOGRAPH_PLAYER_CACHE/written.sh"
    tell connect connect
    tell signal kill -s USR1 "$LUDOGRAPH_PLAYER_VICTIM"
    tell trace ls "/proc/$LUDOGRAPH_PLAYER_VICTIM/fd"
    tell environment printenv LUDOGRAPH_TEST_SECRET
    tell namespace unshare -U true
}
moves=0
while read -r command color _; do
    answer=
    case $command in
    name) answer=intruder ;;
    genmove)
        [ $moves = 0 ] && attack
        moves=$((moves + 1))
        answer=resign
        ;;
    quit) printf '=\n\n'; exit ;;
    esac
    printf '= %s\n\n' "$answer"
done
