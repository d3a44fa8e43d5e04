// A count of exact covers with TdZDD, for the benchmarks of puzzlec.
//
// The input has numbers: in the first line those of primary and secondary items, then a line with the items of each
// option. Levels are options. A state has a bit for each item that is covered and that a later option has.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <tdzdd/DdSpec.hpp>
#include <tdzdd/DdStructure.hpp>

typedef std::uint64_t Bits;

class Covers : public tdzdd::PodArrayDdSpec<Covers, Bits, 2> {
    struct Option {
        std::vector<int> items, closing;  // all items, and those that no later option has
    };
    std::vector<Option> options;
    int primary, words;

    static bool has(Bits const* state, int item) { return state[item >> 6] >> (item & 63) & 1; }

    // Forget the items of an option that no later one has. Return whether the primary ones are covered.
    bool close(Bits* state, Option const& option) const {
        for (int item : option.closing) {
            if (item < primary && !has(state, item)) return false;
            state[item >> 6] &= ~(Bits(1) << (item & 63));
        }
        return true;
    }

public:
    Covers(std::vector<std::vector<int>> const& rows, int primary, int secondary) : primary(primary) {
        int const items = primary + secondary;
        std::vector<int> last(items, -1);
        words = std::max(1, (items + 63) / 64);
        setArraySize(words);
        for (std::vector<int> const& row : rows) {
            for (int item : row) last[item] = int(options.size());
            Option option;
            option.items = row;
            options.push_back(option);
        }
        for (int item = 0; item < items; ++item)
            if (last[item] >= 0) options[last[item]].closing.push_back(item);
    }

    int getRoot(Bits* state) const {
        std::fill(state, state + words, Bits(0));
        return int(options.size());
    }

    int getChild(Bits* state, int level, int take) const {
        Option const& option = options[options.size() - level];
        if (take) {
            for (int item : option.items) {
                if (has(state, item)) return 0;
                state[item >> 6] |= Bits(1) << (item & 63);
            }
        }
        if (!close(state, option)) return 0;
        return level == 1 ? -1 : level - 1;
    }
};

int main() {
    std::string line;
    int primary = 0, secondary = 0;
    std::getline(std::cin, line);
    std::istringstream(line) >> primary >> secondary;
    std::vector<std::vector<int>> rows;
    std::vector<bool> known(primary, false);
    while (std::getline(std::cin, line)) {
        std::istringstream numbers(line);
        std::vector<int> row;
        for (int item; numbers >> item;) row.push_back(item);
        for (int item : row)
            if (item < primary) known[item] = true;
        if (!row.empty()) rows.push_back(row);
    }
    if (std::find(known.begin(), known.end(), false) != known.end()) {
        std::cout << 0 << std::endl;
        return 0;
    }
    if (rows.empty()) {
        std::cout << 1 << std::endl;
        return 0;
    }
    tdzdd::DdStructure<2> diagram(Covers(rows, primary, secondary));
    std::cout << diagram.zddCardinality() << std::endl;
    return 0;
}
