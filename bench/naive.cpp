// Increasing Differences as one would write it in an afternoon, to measure Parlour against: packed positions, one hash
// table, mirror images merged, the reply with the fewest answers tried first, and nothing else.
//
//   naive table LENGTH RANGE     the score of every position: how many positions there are, and the score of the start
//   naive outcome LENGTH RANGE   who wins
//
// Both print: positions, value (1: who begins wins, -1: loses), plies (0: not asked), seconds of CPU time.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

using Word = std::uint64_t;

static int length, range_;

struct Position {
    Word pool;  // bit n: the number n is unused
    int last, gap, their_last, their_gap;
};

static Word moves(const Position& p) {
    int low = std::max(p.last - p.gap, 0), high = std::min(p.last + p.gap, range_);
    return p.pool & ~((Word(2) << high) - (Word(1) << low));
}

static Position play(const Position& p, int move) {
    return {p.pool ^ (Word(1) << move), p.their_last, p.their_gap, move, p.last ? std::abs(move - p.last) : 0};
}

static bool lost(const Position& p) {
    int placed = range_ - __builtin_popcountll(p.pool);
    return (placed + 1) / 2 == length || !moves(p);
}

static Word pack(Word pool, int last, int gap, int their_last, int their_gap) {
    return ((((pool << 5 | last) << 5 | gap) << 5 | their_last) << 5) | their_gap;  // ranges up to 31
}

static Word key(const Position& p) {
    Word turned = 0;
    for (int n = 1; n <= range_; n++)
        if (p.pool >> n & 1) turned |= Word(1) << (range_ + 1 - n);
    Word mirror = pack(turned, p.last ? range_ + 1 - p.last : 0, p.gap, p.their_last ? range_ + 1 - p.their_last : 0,
                       p.their_gap);
    return std::min(pack(p.pool, p.last, p.gap, p.their_last, p.their_gap), mirror);
}

struct Table {
    std::vector<Word> keys = std::vector<Word>(1 << 20);
    std::vector<std::int8_t> values = std::vector<std::int8_t>(1 << 20);
    std::size_t count = 0;

    std::size_t slot(Word k) const {
        Word mixed = k * 0x9E3779B97F4A7C15u;
        std::size_t place = (mixed ^ mixed >> 29) & (keys.size() - 1);
        while (keys[place] && keys[place] != k) place = (place + 1) & (keys.size() - 1);
        return place;
    }
    void put(Word k, int value) {
        if (2 * ++count > keys.size()) {
            Table larger;
            larger.keys.assign(2 * keys.size(), 0);
            larger.values.assign(2 * keys.size(), 0);
            for (std::size_t i = 0; i < keys.size(); i++)
                if (keys[i]) {
                    std::size_t place = larger.slot(keys[i]);
                    larger.keys[place] = keys[i];
                    larger.values[place] = values[i];
                }
            keys.swap(larger.keys);
            values.swap(larger.values);
        }
        std::size_t place = slot(k);
        keys[place] = k;
        values[place] = std::int8_t(value);
    }
};

static Table table;

// A win in n plies is 100 - n, a loss in n plies n - 100.
static int score(const Position& p) {
    if (lost(p)) return -100;
    Word k = key(p);
    std::size_t place = table.slot(k);
    if (table.keys[place]) return table.values[place];
    int best = -100;
    for (Word rest = moves(p); rest; rest &= rest - 1) {
        int theirs = score(play(p, __builtin_ctzll(rest)));
        best = std::max(best, theirs > 0 ? 1 - theirs : -1 - theirs);
    }
    table.put(k, best);
    return best;
}

static bool wins(const Position& p) {
    if (lost(p)) return false;
    Word k = key(p);
    std::size_t place = table.slot(k);
    if (table.keys[place]) return table.values[place] > 0;
    int order[64], many = 0;
    bool won = false;
    for (Word rest = moves(p); rest; rest &= rest - 1) {
        int move = __builtin_ctzll(rest);
        Position child = play(p, move);
        if (lost(child)) won = true;
        order[many++] = __builtin_popcountll(moves(child)) * 64 + move;
    }
    if (!won) std::sort(order, order + many);
    for (int i = 0; i < many && !won; i++) won = !wins(play(p, order[i] % 64));
    table.put(k, won ? 1 : -1);
    return won;
}

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fprintf(stderr, "usage: naive table|outcome LENGTH RANGE\n");
        return 2;
    }
    length = std::atoi(argv[2]);
    range_ = std::atoi(argv[3]);
    if (length < 2 || length > range_ || range_ > 31) {
        std::fprintf(stderr, "a length from 2 to the range, and a range up to 31, would do\n");
        return 2;
    }
    Position start{(Word(2) << range_) - 2, 0, 0, 0, 0};
    std::clock_t begin = std::clock();
    int value, plies = 0;
    if (!std::strcmp(argv[1], "table")) {
        int found = score(start);
        value = found > 0 ? 1 : -1;
        plies = 100 - std::abs(found);
    } else {
        value = wins(start) ? 1 : -1;
    }
    double taken = double(std::clock() - begin) / CLOCKS_PER_SEC;
    std::printf("%zu %d %d %.3f\n", table.count, value, plies, taken);
}
