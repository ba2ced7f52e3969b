"""Reads games with remarks as other programs do, and compares them with the games without: annotated.py BEFORE AFTER."""

import sys

import chess.pgn


def games(path):
    with open(path, encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            assert not game.errors, game.errors
            yield game


count = 0
for before, after in zip(games(sys.argv[1]), games(sys.argv[2]), strict=True):
    assert list(before.mainline_moves()) == list(after.mainline_moves())
    assert all(after.headers[name] == value for name, value in before.headers.items())
    nodes = list(after.mainline())
    for node in nodes:
        is_mate = node.board().is_checkmate()
        assert (node.eval() is None) == is_mate, node
    faults = [node for node in nodes if node.nags & {2, 4, 6}]
    assert all(len(node.parent.variations) > 1 for node in faults)
    assert all(node.parent.variations[1].eval() is not None for node in faults)
    count += 1
    print(f"{count}: {len(nodes)} plies, {len(faults)} faults")
assert count > 0
