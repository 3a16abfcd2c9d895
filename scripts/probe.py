#!/usr/bin/env python3
"""Value and distance of positions from table files; written from tables/README.md alone, without this program's code.
scripts/probe.py DIRECTORY POSITION...   DIRECTORY is that of one set, such as kpe/tables/kpe-skip-same-remains."""
import struct, sys
from itertools import accumulate
from math import comb
ORDER = (3, 7, 2, 6, 1, 5, 0, 4)
def rank(loose): return sum(comb(sum(loose[p] for p in ORDER[:j + 1]) + j, j + 1) for j in range(7))
def unrank(number, stones):
    loose = [0] * 8
    for j in range(6, -1, -1):
        below = max(s for s in range(stones + 1) if comb(s + j, j + 1) <= number)
        number, loose[ORDER[j + 1]], stones = number - comb(below + j, j + 1), stones - below, below
    return loose[:3] + [stones] + loose[4:]
def captures(board, unsown, pit, game, options):
    """Stones that sowing a pit of the mover takes, the duty to feed left aside."""
    board, hand, last, taken = board[:], board[pit], pit, []
    board[pit] = 0
    while hand:
        last = (last + 1) % 8
        if last != pit or options["origin"] == "sow":
            board[last], hand = board[last] + 1, hand - 1
    unsown = [p for p in range(4) if unsown >> p & 1]
    if last < 4 or board[last] not in (2, 4) or unsown and (options.get("unlock") == "next" or unsown != [pit]):
        return 0
    for start, step in ((last, -1), (last + 1, 1)) if game == "gore" else ((last, -1),):
        while board[start % 8] in (2, 4) and start % 8 not in taken and (game == "gore" or start >= 4):
            taken, start = taken + [start % 8], start + step
    return sum(board[p] for p in taken)
class Reader:
    def __init__(self, data): self.data, self.at = data, 0
    def take(self, form):
        begin, self.at = self.at, self.at + struct.calcsize("<" + form)
        return struct.unpack_from("<" + form, self.data, begin)
    def string(self): return self.take(f"{self.take('Q')[0]}s")[0]
    def number(self):
        byte = self.take("B")[0]
        return byte if byte < 128 else byte - 128 + 128 * self.number()
    def shares(self):
        shares, start = [], 0
        while start < 4096:
            shares.append((self.number() - 1, start, self.number()))
            start += shares[-1][2]
        return shares
    def distributions(self):
        counts = self.number(), self.number()
        coarse, own = [list(accumulate(self.number() for _ in range(count))) for count in counts]
        whole = self.shares()
        return {c: self.shares() for c in coarse}, {c: self.shares() for c in own}, whole
    def step(self, symbol, start, width):
        self.state = width * (self.state // 4096) + self.state % 4096 - start
        self.state = self.state if self.state >= 65536 else 65536 * self.state + self.take("H")[0]
        return symbol
    def symbol(self, model, context, coarse):
        shares = model[1].get(context) or model[0].get(coarse) or model[2]
        symbol = self.step(*next(s for s in shares if s[1] <= self.state % 4096 < s[1] + s[2]))
        return symbol if symbol >= 0 else self.step(self.state % 4096 // 8, self.state % 4096 // 8 * 8, 8)
def decode(block, first, count, unsown, stones, rules, values, distances):
    """The last of `count` entries from number `first` on."""
    block.state, entries, begin, length, run = block.take("I")[0], [], None, 0, 0
    code, clip = lambda v: v // 2 + 24, lambda d, k: max(-k, min(k, d)) + k
    for i in range(count):
        loose = unrank(first + i, stones)
        begin, length = (i, run) if loose[3] == 0 and i > 0 else (begin, length)
        run = loose[3] + loose[7] + 1
        board = [s + 6 * (unsown >> p & 1) for p, s in enumerate(loose)]
        hint = min(7, max([captures(board, unsown, p, *rules) for p in range(4) if board[p]], default=0) // 2)
        before = entries[i - 1] if i else (0, 0)
        places = [-1 if begin is None or x < 0 else begin - length + min(x, length - 1) for x in (loose[3], loose[3] - 1)]
        (above, diagonal), c = (entries[place] if place >= 0 else before for place in places), code(before[0])
        context = ((c * 9 + clip(code(above[0]) - c, 4)) * 5 + clip(code(diagonal[0]) - c, 2)) * 8 + hint
        value, distance = block.symbol(values, context, c * 8 + hint) - 48, 0
        if value:
            near = [min(e[1], 10) if e[0] == value else 11 for e in (before, above)]
            coarse = code(value) * 8 + hint
            distance = block.symbol(distances, (coarse * 12 + near[0]) * 12 + near[1], coarse)
        entries.append((value, distance))
    return entries[-1]
def probe(directory, text):
    pits, _, suffix = text.partition("@")[0].partition(":")
    board, unsown = [int(n) for n in pits.split("-")[:8]], sum(1 << "ABCDabcd".index(letter) for letter in suffix)
    turn = lambda byte: byte // 16 + byte % 16 * 16
    board, unsown = (board, unsown) if pits[-1] == "S" else (board[4:] + board[:4], turn(unsown))
    first, letters = min(unsown, turn(unsown)), lambda row, low: "".join(c for i, c in enumerate(row) if low >> i & 1) or "-"
    pair = f"_{letters('ABCD', first)}_{letters('abcd', first // 16)}" if first else ""
    data = open(f"{directory}/n{sum(board):02}{pair}.kpt", "rb").read()
    meta, table = Reader(data[32:]), 32 + struct.unpack_from("<I", data, 12)[0]
    rules = meta.string().decode(), dict(option.split("=") for option in meta.string().decode().split(","))
    per_block, blocks, sections = meta.take("IIQ")[0], 0, {}
    while not sections or (len(sections) == 1 and meta.take("B") == (1,)):
        pits, _, positions = meta.take("BBQQQQQHQ")[:3]
        sections[pits] = blocks, Reader(meta.string())
        blocks += -(-positions // per_block)
    loose = [s - 6 * (unsown >> p & 1) for p, s in enumerate(board)]
    (skipped, parameters), (at, place) = sections[unsown], divmod(rank(loose), per_block)
    ends = [0] + [struct.unpack_from("<I", data, table + 12 * i)[0] for i in range(blocks)]
    begin, end = (table + 12 * blocks + ends[skipped + at + i] for i in (0, 1))
    models = parameters.distributions(), parameters.distributions()
    return decode(Reader(data[begin:end]), at * per_block, place + 1, unsown, sum(loose), rules, *models)
for text in sys.argv[2:]: print(text, *probe(sys.argv[1], text))
