"""Own tables against Gaviota's: the result and the distance to mate of every position with three or four men.

Usage: gaviota.py OWN_DIRECTORY GAVIOTA_DIRECTORY [ENDING ...]
Needs chess, numpy and zstandard (pip). `cc2s tables generate --men 3 --men 4 --dir OWN_DIRECTORY` makes the own tables.

Whole files of both are decoded; the index of each scheme is computed for all placements at once. Impossible placements
(two men on a square, kings that touch, the side not to move in check) and mirror images that own tables leave out are
skipped. Rights to take en passant are in neither table.
"""
import itertools
import lzma
import pathlib
import struct
import sys

import chess
import chess.gaviota as gaviota
import numpy as np
import zstandard

HEADER = 128
BLOCK = 1 << 16
PLACE = struct.Struct("<QIQ")
GAVIOTA_BLOCK = gaviota.ENTRIES_PER_BLOCK
# Pairs of squares, for two equal men.
PAIRS = 64 * 63 // 2


def own_values(path):
    """Bytes of both sides: 0 a draw, 1 to 127 a win in so many moves, 128 + m a loss in m moves."""
    data = path.read_bytes()
    (entries,) = struct.unpack_from("<I", data, 32)
    (directory,) = struct.unpack_from("<Q", data, 88)
    blocks = -(-entries // BLOCK)
    unpack = zstandard.ZstdDecompressor().decompress
    sides = []
    for side in range(2):
        parts = []
        for block in range(side * blocks, (side + 1) * blocks):
            offset, length, _ = PLACE.unpack_from(data, directory + PLACE.size * block)
            parts.append(unpack(data[offset : offset + length], max_output_size=BLOCK))
        stored = np.frombuffer(b"".join(parts), dtype=np.uint8)
        assert len(stored) == entries
        sides.append(stored)
    return sides


def own_plies(stored):
    """Plies to mate: positive for a win of the side to move, -1 - plies for a loss, 0 for a draw."""
    stored = stored.astype(np.int16)
    return np.where(stored == 0, 0, np.where(stored < 128, 2 * stored - 1, -1 - 2 * (stored - 128)))


def gaviota_plies(path, key):
    """The same, of a Gaviota file; indices without a position hold a number that means nothing."""
    tables = gaviota.PythonTablebase()
    tables.add_directory(str(path.parent))
    size = gaviota.EGKEY[key].maxindex
    blocks = -(-size // GAVIOTA_BLOCK)
    sides = []
    with open(path, "rb") as stream:
        tables.egtb_loadindexes(key, stream)
        for side in range(2):
            parts = []
            for block in range(blocks):
                tables.egtb_block_park(key, side * blocks + block, stream)
                packed = stream.read(tables.egtb_block_getsize_zipped(key, side * blocks + block))
                parts.append(gaviota_block(packed, min(GAVIOTA_BLOCK, size - block * GAVIOTA_BLOCK)))
            plies = np.array([plies_of(side, byte) for byte in range(256)], dtype=np.int16)
            sides.append(plies[np.frombuffer(b"".join(parts), dtype=np.uint8)])
    return sides


def gaviota_block(packed, size):
    if packed[0] == 0:
        packed = packed[2:]
    else:
        # The stream has a header of another program: its own properties, then the length.
        packed = struct.pack("<BIQ", (2 * 5 + 0) * 9 + 3, 4096, size) + packed[15:]
    return lzma.LZMADecompressor().decompress(packed)[:size]


def plies_of(side, byte):
    plies, result = gaviota.unpackdist(gaviota.dtm_unpack(side, byte))
    if result not in (gaviota.iWMATE, gaviota.iBMATE):
        return 0
    wins = (result == gaviota.iWMATE) == (side == 0)
    return plies if wins else -1 - plies


def mirrored(squares, symmetry):
    flipped = squares ^ (7 * (symmetry & 1)) ^ (56 * (symmetry >> 1 & 1))
    return flipped % 8 * 8 + flipped // 8 if symmetry & 4 else flipped


def king_pairs(has_pawns):
    """Own placements of the kings, in order."""
    for white, black in itertools.product(range(64), repeat=2):
        file, rank = white % 8, white // 8
        if chess.square_distance(white, black) < 2 or file > 3:
            continue
        on_diagonal, above = file == rank, black // 8 > black % 8
        if has_pawns or rank <= file and not (on_diagonal and above):
            yield white, black


def own_groups(men):
    """Squares of each group of equal men in the order of own numbers, the last group varying fastest."""
    for man, count in ((man, len(list(group))) for man, group in itertools.groupby(men)):
        squares = range(8, 56) if man.upper() == "P" else range(64)
        if count == 1:
            yield [(square,) for square in squares]
        else:
            # By the greater of the two first.
            yield sorted(itertools.combinations(squares, 2), key=lambda pair: (pair[1], pair[0]))


def placements(men):
    """Squares of all other men, an array each, for one placement of the kings."""
    combined = [sum(groups, ()) for groups in itertools.product(*own_groups(men))]
    return np.array(combined, dtype=np.int64).T


ATTACK_TABLES = {
    "N": [int(mask) for mask in chess.BB_KNIGHT_ATTACKS],
    "P": [int(mask) for mask in chess.BB_PAWN_ATTACKS[chess.WHITE]],
    "p": [int(mask) for mask in chess.BB_PAWN_ATTACKS[chess.BLACK]],
}


def attacked(man, squares, king, blockers):
    """Where a `man` on `squares` attacks the king on the square `king`; `blockers`: the squares of all other men."""
    letter = man.upper()
    if letter in "NP":
        masks = ATTACK_TABLES[man if letter == "P" else "N"]
        hits = np.array([mask >> king & 1 for mask in masks], dtype=bool)
        return hits[squares]
    hit = np.zeros(len(squares), dtype=bool)
    reach = {"R": chess.BB_RANK_ATTACKS, "B": chess.BB_DIAG_ATTACKS}
    for square in range(64):
        straight = chess.square_file(square) == chess.square_file(king) or chess.square_rank(square) == chess.square_rank(king)
        lined = bool(chess.ray(square, king)) and square != king
        if not lined or letter == "R" and not straight or letter == "B" and straight:
            continue
        here = squares == square
        between = np.array([chess.between(square, king) >> other & 1 for other in range(64)], dtype=bool)
        for other in blockers:
            here = here & ~between[other]
        hit |= here
    return hit


def occupied_twice(kings, others):
    twice = np.zeros(others.shape[1], dtype=bool)
    for at, squares in enumerate(others):
        for king in kings:
            twice |= squares == king
        for before in others[:at]:
            twice |= squares == before
    return twice


def in_check(men, kings, others, of_white):
    """Where that side's king is attacked."""
    king = kings[0 if of_white else 1]
    check = np.zeros(others.shape[1], dtype=bool)
    for at, man in enumerate(men):
        if man.isupper() != of_white:
            blockers = [np.full(others.shape[1], kings[1 if of_white else 0])]
            blockers += [squares for slot, squares in enumerate(others) if slot != at]
            check |= attacked(man, others[at], king, blockers)
    return check


def kings_index(white, black):
    """Gaviota's number of the kings and the mirror that leads to it."""
    symmetry = gaviota.flip_type(black, white)
    kings = mirrored(np.array([white, black]), symmetry)
    return gaviota.KKIDX[kings[1]][kings[0]], symmetry


AAIDX = np.array(gaviota.AAIDX)
PPIDX = np.array(gaviota.PPIDX)


def pawn_slice(pawns):
    """A pawn's number on the files a to d, White's from its seventh rank down."""
    squares = (pawns ^ 56) - 8
    return (squares + (squares & 3)) >> 1


def gaviota_index(men, kings, others):
    """Gaviota's index of every placement."""
    white, black = kings
    pawns = [at for at, man in enumerate(men) if man.upper() == "P"]
    if not pawns:
        number, symmetry = kings_index(white, black)
        others = [mirrored(squares, symmetry) for squares in others]
        if len(others) == 1:
            return number * 64 + others[0]
        if men[0] == men[1]:
            return number * PAIRS + AAIDX[others[0], others[1]]
        return (number * 64 + others[0]) * 64 + others[1]
    others = list(others)
    if men == "PP":
        anchors = [gaviota.pp_putanchorfirst(a, b) for a, b in zip(*(squares.tolist() for squares in others))]
        others = list(np.array(anchors, dtype=np.int64).T)
        pawns = [0]
    anchor = others[pawns[0]]
    flip = np.where(anchor % 8 > 3, 7, 0)
    white, black = white ^ flip, black ^ flip
    others = [squares ^ flip for squares in others]
    anchor = others[pawns[0]]
    if len(men) == 1:
        return pawn_slice(anchor) * 4096 + white * 64 + black
    if men == "PP":
        return PPIDX[pawn_slice(anchor), (others[1] ^ 56) - 8] * 4096 + white * 64 + black
    if men == "Pp":
        return (pawn_slice(anchor) * 48 + others[1] - 8) * 4096 + white * 64 + black
    # A black pawn counts from its own side of the board.
    number = pawn_slice(anchor if men[1] == "P" else anchor ^ 56)
    return ((number * 64 + white) * 64 + black) * 64 + others[0]


def undecided(kings, has_pawns):
    """Whether mirroring at the diagonal leaves the kings where they are."""
    return not has_pawns and all(king % 9 == 0 for king in kings)


def canonical(men, others):
    """Which placements stand for their image at the diagonal: those whose own index is the smaller one."""
    images = np.array([mirrored(squares, 4) for squares in others])
    return own_rank(men, others) <= own_rank(men, images)


def own_rank(men, others):
    """Grows with the own index."""
    if len(men) == 1:
        return others[0]
    first, second = others
    if men[0] == men[1]:
        first, second = np.maximum(first, second), np.minimum(first, second)
    return first * 64 + second


def compare(own, theirs, men):
    """Positions compared and positions that differ."""
    has_pawns = "P" in men.upper()
    others = placements(men)
    compared = different = 0
    for number, kings in enumerate(king_pairs(has_pawns)):
        possible = ~occupied_twice(kings, others)
        if undecided(kings, has_pawns):
            possible &= canonical(men, others)
        at = number * others.shape[1] + np.flatnonzero(possible)
        placed = others[:, possible]
        index = gaviota_index(men, kings, placed)
        for side in range(2):
            legal = ~in_check(men, kings, placed, of_white=side == 1)
            ours = own_plies(own[side][at[legal]])
            compared += len(ours)
            different += int(np.count_nonzero(ours != theirs[side][index[legal]]))
    return compared, different


def main():
    own_directory, gaviota_directory = map(pathlib.Path, sys.argv[1:3])
    wanted = sys.argv[3:]
    total = wrong = 0
    for own in sorted(own_directory.glob("*.egt")):
        name = own.stem
        key = name.replace("v", "").lower()
        path = gaviota_directory / f"{key}.gtb.cp4"
        if not path.exists() or wanted and name not in wanted:
            continue
        white, black = name.split("v")
        men = white[1:] + black[1:].lower()
        compared, different = compare(own_values(own), gaviota_plies(path, key), men)
        print(f"{name}: {compared} positions, {different} different", flush=True)
        total, wrong = total + compared, wrong + different
    print(f"{total} positions, {wrong} different")
    sys.exit(wrong > 0)


main()
