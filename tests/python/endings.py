"""What became of games that began in endings whose truth is known.

Usage: endings.py GAMES.pgn STARTS.epd PLAYER
The starts have the truth in `c0 "wdl=..."` for the side to move, as positions/tbtruth.epd has it. Counts, for the games of
PLAYER and of its opponents, how many games came to the true result; each of PLAYER's worse results is printed and makes
the exit code 1.
"""
import collections
import re
import sys

import chess.pgn

POINTS = {"1-0": 1, "1/2-1/2": 0, "0-1": -1}


def truths(path):
    """By placement and side to move: 1 if White wins, 0 for a draw, -1 if Black wins."""
    for line in open(path):
        fields = line.split()
        wdl = int(re.search(r"wdl=(-?\d+)", line).group(1))
        sign = (wdl > 0) - (wdl < 0)
        yield (fields[0], fields[1]), sign if fields[1] == "w" else -sign


def games(path):
    with open(path) as stream:
        while (game := chess.pgn.read_game(stream)) is not None:
            yield game


def main():
    path, starts, player = sys.argv[1:4]
    known = dict(truths(starts))
    counts = collections.Counter()
    failures = 0
    for game in games(path):
        fen = game.headers["FEN"].split()
        truth = known[fen[0], fen[1]]
        point = POINTS[game.headers["Result"]]
        for color, side in (("White", 1), ("Black", -1)):
            name = game.headers[color]
            due = {1: "won", 0: "drawn", -1: "lost"}[truth * side]
            better = (point - truth) * side
            counts[name, due, {0: "true result", 1: "better", 2: "better"}.get(better, "worse")] += 1
            if name == player and better < 0:
                failures += 1
                print(f"{player} {due}, but {game.headers['Result']}: {' '.join(fen)}")
    for (name, due, what), count in sorted(counts.items()):
        print(f"{name}: {due} by truth, {what}: {count}")
    sys.exit(failures > 0)


main()
