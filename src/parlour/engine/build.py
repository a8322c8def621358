"""Builds of engines: the rules of a game and all kernels as one C file, compiled to WebAssembly.

As a program it builds the shipped engines: make engine
"""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_type_hints

from parlour import catalog
from parlour import game as parlour_game
from parlour.engine import artefacts, primitives, search
from parlour.engine.artefacts import NoEngine
from parlour.engine.compiler import Unit
from parlour.engine.kinds import BYTES, FLOAT, INT, INTS, NOTHING, TABLE, WORD, WORDS, Signature, refuse
from parlour.engine.lockstep import (
    CHECKED,
    CHUNK,
    IGNORE,
    NEXT_STEP,
    SAME_STEP,
    Lockstep,
    make_lockstep,
    plain_rows,
    read_state,
    write_bits,
)
from parlour.engine.search import make_at_least, make_children, make_expected, make_fill, rule_functions
from parlour.engine.tree import make_playouts, make_simulate
from parlour.game import Game, P
from parlour.options import O

# The index of the n-th set bit of each byte.
SELECT = [primitives.select_bit(byte, place) & 7 for byte in range(256) for place in range(8)]
RUNTIME = (Path(__file__).parent / "runtime.c").read_text(encoding="utf-8")
RUNTIME = f"static const unsigned char SELECT[] = {{{', '.join(map(str, SELECT))}}};\n{RUNTIME}"
MAX_FIELDS = 16  # fields of options or of a position, limited by runtime.c
WINDOW = 8  # hash table slots prefetched together
TIMEOUT = 300  # seconds; in the first build ziglang compiles its own library
OPTIONS = (
    "-O3",
    "-nostdlib",
    "-ffp-contract=off",
    "-fno-strict-aliasing",
    "-fno-builtin",
    "-Wall",
    "-Wno-unused-function",
    "-Wno-unused-but-set-variable",
)
WEB = (
    "--target=wasm32-freestanding",
    "-mcpu=generic+bulk_memory+sign_ext+nontrapping_fptoint",
    "-Wl,--no-entry",
    "-Wl,--strip-all",
    "-Wl,-z,stack-size=8388608",
)

PRIMITIVES: dict[Callable[..., Any], Signature] = {
    math.sqrt: Signature("square_root", FLOAT, (FLOAT,)),
    primitives.lowest_bit: Signature("lowest_bit", INT, (INT,)),
    primitives.select_bit: Signature("select_bit", INT, (INT, INT)),
    parlour_game.mirrored: Signature("mirrored", INT, (INT, INT)),
    parlour_game.popcount: Signature("popcount", INT, (INT,)),
    primitives.draw_below: Signature("draw_below", INT, (WORD, INT)),
    primitives.next_state: Signature("next_state", WORD, (WORD,)),
    search.sort_range: Signature("sort_range", NOTHING, (INTS, INT, INT)),
}

# Batches: several threads share a memory that the caller creates.
BATCH = (
    "--target=wasm32-freestanding",
    "-mcpu=generic+bulk_memory+sign_ext+nontrapping_fptoint+simd128+atomics",
    "-Wl,--no-entry",
    "-Wl,--strip-all",
    "-Wl,-z,stack-size=65536",
    "-Wl,--import-memory,--shared-memory,--max-memory=4294901760",
    "-Wl,--export=__stack_pointer",
    "-DSHARED",
)

# The table of runtime.c for the positions of one game.
GLUE = """
typedef struct {{ short low, high; }} Bounds;
static inline i64 pack(Table *t, {position} p) {{
  i64 key = 0;
  {fields}
  return key + 1;
}}
static inline {position} read_key(Table *t, i64 key) {{
  {position} p;
  {unpacked}
  return p;
}}
static inline i64 find_key(Table *t, const i64 *keys, i64 count, {position} p) {{
  i64 key = pack(t, p) - 1, low = 0;
  while (count > 0) {{
    i64 half = count >> 1, above = -(i64)(keys[low + half] < key);
    low += (half + 1) & above;
    count = (half & ~above) + ((count - half - 1) & above);
  }}
  return low;
}}
static inline i64 locate_bounds(Table *t, {position} p) {{
  i64 key = pack(t, p), slot = slot_of(key, t->slots - 1);
  __builtin_prefetch(t->keys + slot);
  __builtin_prefetch(t->values + slot * t->bytes);
  return key;
}}
static inline {pair} lookup_bounds(Table *t, i64 key) {{
  Bounds *found = (Bounds *)table_find(t, key);
  return found ? ({pair}){{found->low, found->high}} : ({pair}){{-{top}, {top}}};
}}
static inline void store_bounds(Table *t, i64 key, i64 low, i64 high) {{
  *(Bounds *)table_place(t, key) = (Bounds){{(short)low, (short)high}};
}}
static inline i64 lookup_entry(Table *t, {position} p) {{
  int *found = (int *)table_find(t, pack(t, p));
  return found ? *found : {stopped};
}}
static inline void store_entry(Table *t, {position} p, i64 entry) {{ *(int *)table_place(t, pack(t, p)) = (int)entry; }}
static inline {five} lookup_expected(Table *t, {position} p) {{
  {five} *found = ({five} *)table_find(t, pack(t, p));
  return found ? *found : ({five}){{{unknown}}};
}}
static inline void store_expected(Table *t, {position} p, {five} found) {{
  *({five} *)table_place(t, pack(t, p)) = found;
}}
"""


BATCH_CASES = {
    "step": (
        {"policy": CHECKED, "renewal": SAME_STEP},  # the defaults of Batch
        {"policy": IGNORE, "renewal": NEXT_STEP},  # the defaults of Gymnasium's vector environments
    )
}
BATCH_GLUE = """
static inline {options} read_options(const i64 *rows, i64 place) {{
  return ({options}){{{option_places}}};
}}
static inline {position} read_position(const i64 *rows, i64 place) {{
  return ({position}){{{position_places}}};
}}
static inline void write_position(i64 *rows, i64 place, {position} p) {{ {written} }}
static inline i64 pack_position(const i64 *radix, {position} p) {{
  i64 key = 0;
  {packed}
  return key;
}}
static inline i64 bits_from(i64 value, i64 shift) {{
  return shift < 0 ? shift_right(value, -shift) : shift_left(value, shift);
}}
static inline i64 position_bits({position} o, {position} p) {{ return {bits}; }}
static inline i64 chunk_of_bits({position} o, {position} p, i64 first) {{ return ({chunk}) & ((1LL << {size}) - 1); }}
static inline u64 read_state(const u64 *states, i64 place) {{ return states[place]; }}
#ifdef __AVX512BW__
#include <immintrin.h>
static inline void write_bits(signed char *out, i64 place, i64 width, i64 bits) {{
  NEED(width >= 0 && width <= 64);
  __mmask64 row = width < 64 ? (1ULL << width) - 1 : ~0ULL;
  _mm512_mask_storeu_epi8(out + place, row, _mm512_maskz_set1_epi8((__mmask64)bits, 1));
}}
#else
#define SPREAD1(b) \\
  ((((b) * 0x0101010101010101ULL & 0x8040201008040201ULL) + 0x7f7f7f7f7f7f7f7fULL) >> 7 & 0x0101010101010101ULL)
#define SPREAD4(b) SPREAD1(b), SPREAD1(b + 1), SPREAD1(b + 2), SPREAD1(b + 3)
#define SPREAD16(b) SPREAD4(b), SPREAD4(b + 4), SPREAD4(b + 8), SPREAD4(b + 12)
#define SPREAD64(b) SPREAD16(b), SPREAD16(b + 16), SPREAD16(b + 32), SPREAD16(b + 48)
static const u64 SPREAD[256] = {{SPREAD64(0ULL), SPREAD64(64ULL), SPREAD64(128ULL), SPREAD64(192ULL)}};
static inline void write_eight(signed char *out, u64 bits) {{
#ifdef FAST_DEPOSIT
  u64 spread = __builtin_ia32_pdep_di(bits, 0x0101010101010101ULL);
#else
  u64 spread = SPREAD[bits & 255];
#endif
  __builtin_memcpy(out, &spread, 8);
}}
static inline void write_bits(signed char *out, i64 place, i64 width, i64 bits) {{
  NEED(width >= 0 && width <= 64);
  if (width < 8) {{
    for (i64 bit = 0; bit < width; bit++) out[place + bit] = bits >> bit & 1;
  }} else {{
    write_eight(out + place + width - 8, (u64)bits >> (width - 8));  // the last eight overlap those before
    for (i64 bit = 0; bit < width - 8; bit += 8) write_eight(out + place + bit, (u64)bits >> bit);
  }}
}}
#endif
"""


def write_c(game: Game[Any, Any], *, searches: bool = True, batches: bool = False) -> str:
    """Return the engine of a game in C: its searches, the kernels of batches, or both."""
    position = get_type_hints(game.rules.play).get("return")
    if not hasattr(position, "_fields"):
        refuse(game.rules.play, "its result", "a NamedTuple as the annotation")
    unit = Unit({}, {O: game.options, P: position}, files=frozenset(artefacts.source_files(game)))
    for each in (game.options, position):
        if any(kind is not INT for _, kind in unit.record(each).fields):
            refuse(each, "a field that is not an integer", "the annotation int")
        if len(unit.record(each).fields) > MAX_FIELDS:
            refuse(each, "a tuple with this many fields", f"at most {MAX_FIELDS}")
    record, pair, five = unit.record(position), unit.tuple_of((INT, INT)), unit.tuple_of((FLOAT,) * 5)
    unit.primitives = {
        **PRIMITIVES,
        search.locate_bounds: Signature("locate_bounds", INT, (TABLE, record)),
        search.lookup_bounds: Signature("lookup_bounds", pair, (TABLE, INT)),
        search.lookup_entry: Signature("lookup_entry", INT, (TABLE, record)),
        search.store_bounds: Signature("store_bounds", NOTHING, (TABLE, INT, INT, INT)),
        search.store_entry: Signature("store_entry", NOTHING, (TABLE, record, INT)),
        search.read_key: Signature("read_key", record, (TABLE, INT)),
        search.find_key: Signature("find_key", INT, (TABLE, INTS, INT, record)),
        search.lookup_expected: Signature("lookup_expected", five, (TABLE, record)),
        search.store_expected: Signature("store_expected", NOTHING, (TABLE, record, five)),
    }
    fields = "\n  ".join(
        f"NEED(p.f_{name} >= 0 && p.f_{name} < t->radix[{place}]);\n  key = key * t->radix[{place}] + p.f_{name};"
        for place, (name, _) in enumerate(record.fields)
    )
    unpacked = "\n  ".join(
        f"p.f_{name} = key % t->radix[{place}];\n  key /= t->radix[{place}];"
        for place, (name, _) in reversed(list(enumerate(record.fields)))
    )
    if searches:
        _add_searches(unit, game)
    glue = GLUE.format(
        position=record.c,
        pair=pair.c,
        five=five.c,
        fields=fields,
        unpacked=unpacked,
        top=search.TOP,
        stopped=search.STOPPED,
        unknown=", ".join(map(str, search.NOTHING_KNOWN)),
    )
    if batches:
        glue += _add_batches(unit, game)
    return f"{RUNTIME}\n{unit.text(glue)}"


def _add_searches(unit: Unit, game: Game[Any, Any]) -> None:
    rules = rule_functions(game)
    unit.export("at_least", make_at_least(rules, WINDOW))
    exact = rules._replace(canonical=parlour_game.as_it_is)
    unit.export("at_least_exactly", make_at_least(exact, WINDOW))
    unit.export("fill", make_fill(rules))
    unit.export("children", make_children(rules))
    unit.export("expected", make_expected(rules))
    unit.export("playouts", make_playouts(rules))
    unit.export("simulate", make_simulate(rules))


def _add_batches(unit: Unit, game: Game[Any, Any]) -> str:
    """Add the kernels of batches to a unit, and return their hand-written C."""
    position_type = get_type_hints(game.rules.play)["return"]
    options, position = unit.record(game.options), unit.record(position_type)
    rows = plain_rows(game.options, position_type)
    unit.primitives = {
        **unit.primitives,
        rows.read_options: Signature("read_options", options, (INTS, INT)),
        rows.read_position: Signature("read_position", position, (INTS, INT)),
        rows.write_position: Signature("write_position", NOTHING, (INTS, INT, position)),
        rows.pack_position: Signature("pack_position", INT, (INTS, position)),
        rows.position_bits: Signature("position_bits", INT, (position, position)),
        rows.chunk_of_bits: Signature("chunk_of_bits", INT, (position, position, INT)),
        read_state: Signature("read_state", WORD, (WORDS, INT)),
        write_bits: Signature("write_bits", NOTHING, (BYTES, INT, INT, INT)),
    }
    kernels = make_lockstep(rule_functions(game), rows)
    for name, kernel in zip(Lockstep._fields, kernels, strict=True):
        unit.export(name, kernel, BATCH_CASES.get(name, ()))
    places = [f"rows[{len(position.fields)} * place + {field}]" for field in range(len(position.fields))]
    option_places = [f"rows[{len(options.fields)} * place + {field}]" for field in range(len(options.fields))]
    names = [name for name, _ in position.fields]
    return BATCH_GLUE.format(
        options=options.c,
        position=position.c,
        option_places=", ".join(option_places),
        position_places=", ".join(places),
        written=" ".join(f"{place} = p.f_{name};" for place, name in zip(places, names, strict=True)),
        bits=" | ".join(f"(i64)((u64)p.f_{name} << (o.f_{name} & 63))" for name in names),
        size=CHUNK,
        chunk=" | ".join(f"bits_from(p.f_{name}, o.f_{name} - first)" for name in names),
        packed="\n  ".join(f"key = key * radix[{row}] + p.f_{name};" for row, name in enumerate(names)),
    )


def compile_wasm(text: str, target: tuple[str, ...] = WEB, *, checked: bool = False) -> bytes:
    """Compile a C file to WebAssembly. ``checked`` code traps if a result needs more than 64 bits.

    Raises:
        NoEngine: the C compiler cannot run.
    """
    options = [each for each in OPTIONS if each != "-nostdlib"] + ["-DCHECKED"] if checked else OPTIONS
    return run_compiler((sys.executable, "-m", "ziglang", "cc", *target, *options), text)


def run_compiler(command: Sequence[str], text: str) -> bytes:
    """Compile a C file. Raises NoEngine if the compiler fails."""
    name = "ziglang" if "ziglang" in command else command[0]
    with TemporaryDirectory() as folder:
        Path(folder, "engine.c").write_text(text, encoding="utf-8")
        try:
            subprocess.run(
                [*command, "-o", "engine.out", "engine.c"],
                cwd=folder,
                check=True,
                capture_output=True,
                text=True,
                timeout=TIMEOUT,
            )
            return Path(folder, "engine.out").read_bytes()
        except subprocess.CalledProcessError as error:
            lines = [line for line in error.stderr.splitlines() if "error" in line.lower()] or ["no reason given"]
            raise NoEngine(f"{name} cannot compile: {lines[-1]}") from None
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NoEngine(f"{name} cannot compile: {error}") from None


def compile_part(game: Game[Any, Any], *, batches: bool, checked: bool = False) -> bytes:
    """Compile the searches of a game, or the kernels of batches."""
    return compile_wasm(
        write_c(game, searches=not batches, batches=batches), BATCH if batches else WEB, checked=checked
    )


def build(game: Game[Any, Any]) -> dict[str, bytes]:
    """Return the shipped files of a game: the engine, and the kernels of batches."""
    return {
        f"{game.key}.wasm": artefacts.stamp(game, compile_part(game, batches=False)),
        f"{game.key}.batch.wasm": artefacts.stamp(game, compile_part(game, batches=True)),
    }


if __name__ == "__main__":
    for key in catalog.keys():
        for name, content in build(catalog.find_game(key)).items():
            artefacts.write(artefacts.FOLDER / name, content)
            print(f"{len(content):7,} bytes  {name}")
