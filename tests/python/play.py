"""The engine under python-chess: whole games by the clock, with pondering, in Chess960; analysis; options.

Usage: play.py ENGINE clock|ponder|chess960|analysis
python-chess checks every move and line; this script adds the clock. A clock that a busy machine has let run out stays at
CLOCK_MIN_SECONDS: who loses on time depends on the machine.
"""
import sys
import time

import chess
import chess.engine

START_SECONDS = 1.0
INCREMENT_SECONDS = 0.1
CLOCK_MIN_SECONDS = 0.1
PLIES_MAX = 300


def play_game(engine, board, ponder=False):
    clocks = {chess.WHITE: START_SECONDS, chess.BLACK: START_SECONDS}
    game = object()
    while not board.is_game_over(claim_draw=True) and board.ply() < PLIES_MAX:
        limit = chess.engine.Limit(
            white_clock=clocks[chess.WHITE],
            black_clock=clocks[chess.BLACK],
            white_inc=INCREMENT_SECONDS,
            black_inc=INCREMENT_SECONDS,
        )
        start = time.monotonic()
        result = engine.play(board, limit, game=game, ponder=ponder, info=chess.engine.INFO_ALL)
        left = clocks[board.turn] - (time.monotonic() - start) + INCREMENT_SECONDS
        clocks[board.turn] = max(left, CLOCK_MIN_SECONDS)
        assert result.move in board.legal_moves, result
        assert result.info["pv"][0] == result.move, result
        if result.ponder is not None:
            after = board.copy()
            after.push(result.move)
            assert result.ponder in after.legal_moves, result
        board.push(result.move)
    return board


def analyse(engine):
    board = chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    info = engine.analyse(board, chess.engine.Limit(time=0.3))
    assert info["score"] is not None and info["nodes"] > 0 and info["pv"], info
    root = [chess.Move.from_uci("e1g1"), chess.Move.from_uci("a2a3")]
    info = engine.analyse(board, chess.engine.Limit(nodes=5000), root_moves=root)
    assert info["pv"][0] in root, info
    engine.configure({"Hash": 16, "Search": "Cc1s", "UCI_ShowWDL": True, "Move Overhead": 50})
    info = engine.analyse(board, chess.engine.Limit(depth=3))
    assert info["wdl"] is not None, info
    with engine.analysis(board) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 3:
                break
    ranks = engine.analyse(board, chess.engine.Limit(depth=2), multipv=3)
    assert [info["multipv"] for info in ranks] == [1, 2, 3], ranks
    assert len({info["pv"][0] for info in ranks}) == 3, ranks
    mate = engine.analyse(chess.Board("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1"), chess.engine.Limit(mate=1))
    assert mate["score"].white() == chess.engine.Mate(1), mate
    try:
        engine.configure({"No Such Option": 1})
    except chess.engine.EngineError:
        pass
    else:
        raise AssertionError("an unknown option was accepted")
    engine.ping()
    return board


def main():
    path, mode = sys.argv[1:]
    with chess.engine.SimpleEngine.popen_uci(path, timeout=300) as engine:
        if mode == "clock":
            board = play_game(engine, chess.Board())
        elif mode == "ponder":
            board = play_game(engine, chess.Board(), ponder=True)
        elif mode == "chess960":
            board = play_game(engine, chess.Board.from_chess960_pos(42))
        else:
            board = analyse(engine)
        print(f"{mode}: {board.ply()} plies, {board.result(claim_draw=True)}, {board.fen()}")


main()
