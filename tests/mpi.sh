#!/usr/bin/env bash
# Three processes of the program built with MPI, as a user starts them: a dialogue, a stop, an ending, a stopped rank, a suite, a match.
# Argument: the program. Each check prints what it found; the first that fails ends the script.
set -euo pipefail
program=$1
run=(mpirun --allow-run-as-root --oversubscribe --quiet -n 3 "$program")

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# Starts all ranks; they are spoken to by `tell` and `until`.
start() {
    coproc ranks { timeout 600 "${run[@]}"; }
    said=
}

tell() {
    printf '%s\n' "$@" >&"${ranks[1]}"
}

# Reads until a line begins with that word, and remembers all.
until_word() {
    local line
    while read -r line <&"${ranks[0]}"; do
        said+=$line$'\n'
        case $line in "$1"*) return ;; esac
    done
    fail "no $1: $said"
}

# Reads to the end.
end() {
    said+=$(cat <&"${ranks[0]}")
    wait "$ranks_PID" || fail "exit code $?"
}

count() {
    grep -c "^$1" <<<"$said" || true
}

echo '-- one answer to each question, on one output'
start
tell uci isready
until_word readyok
tell 'position startpos moves e2e4 e7e5' 'go movetime 500'
until_word bestmove
tell 'setoption name MultiPV value 3' 'go depth 6'
until_word bestmove
tell quit
end
[ "$(count uciok) $(count bestmove)" = '1 2' ] || fail "$said"
grep -q 'multipv 3' <<<"$said" || fail "multipv: $said"

echo '-- an evaluation that the other ranks do not know: one line says so, and there is an answer'
start
tell uci 'setoption name Evaluation value Classical' 'position startpos' 'go depth 6'
until_word bestmove
tell 'go depth 6'
until_word bestmove
tell quit
end
[ "$(grep -c 'built-in evaluation' <<<"$said") $(count bestmove)" = '1 2' ] || fail "$said"

echo '-- options between searches, a stop while pondering, an answer after end of file'
start
tell 'setoption name Hash value 8' 'setoption name Threads value 2' ucinewgame 'position startpos' \
    'go ponder wtime 60000 btime 60000'
until_word info
tell stop
until_word bestmove
tell 'go infinite'
until_word info
eval "exec ${ranks[1]}>&-"
end
[ "$(count bestmove)" = 2 ] || fail "$said"

echo '-- a stop is followed by the answer'
start
tell 'position startpos' 'go infinite'
sleep 2
tell stop
until_word bestmove
tell quit
end
[ "$(count bestmove)" = 1 ] || fail "$said"

echo '-- a stopped rank is left out, and it alone, and takes part again when it goes on'
start
tell uci isready
until_word readyok
# The youngest process: a rank other than the first.
stopped=$ranks_PID
while child=$(pgrep -n -P "$stopped"); do
    stopped=$child
done
tell 'position startpos' 'go movetime 5000'
sleep 2
kill -STOP "$stopped"
until_word bestmove
kill -CONT "$stopped"
tell 'go movetime 1000'
until_word bestmove
tell quit
end
[ "$(count 'info string error') $(count bestmove)" = '1 2' ] || fail "$said"

echo '-- a suite'
timeout 600 "${run[@]}" epd positions/bk.epd --movetime 200 | tail -n 3

echo '-- a match against one process'
report=$(timeout 600 "$program" match \
    -e "name=ranks,cmd=mpirun,arg=--allow-run-as-root,arg=--oversubscribe,arg=--quiet,arg=-n,arg=3,arg=$program" \
    -e name=alone,search=Cc2s --depth 6 --games 4 --openings positions/openings8.pgn)
echo "$report"
[ "$(grep -c ': 0 time losses, 0 illegal moves, 0 crashes$' <<<"$report")" = 2 ] || fail 'the match'

echo '-- a match under mpirun is refused'
if timeout 600 "${run[@]}" match -e search=Cc2s -e search=PVS --movetime 50 >/dev/null 2>&1; then
    fail 'a match under mpirun was played'
fi
echo 'all well'
