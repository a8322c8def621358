"""Adds the kernels of batches to the C of a game's engine."""

from __future__ import annotations

from typing import Any, get_type_hints

from parlour.engine.compiler import Unit
from parlour.engine.kinds import BYTES, INT, INTS, NOTHING, WORD, WORDS, Signature
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
from parlour.engine.search import rule_functions
from parlour.game import Game

CASES = {
    "step": (
        {"policy": CHECKED, "renewal": SAME_STEP},  # the defaults of Batch
        {"policy": IGNORE, "renewal": NEXT_STEP},  # the defaults of Gymnasium's vector environments
    )
}
GLUE = """
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


def add_lockstep(unit: Unit, game: Game[Any, Any]) -> str:
    """Add the kernels to a unit, and return the C that they need beside it."""
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
        unit.export(name, kernel, CASES.get(name, ()))
    places = [f"rows[{len(position.fields)} * place + {field}]" for field in range(len(position.fields))]
    option_places = [f"rows[{len(options.fields)} * place + {field}]" for field in range(len(options.fields))]
    names = [name for name, _ in position.fields]
    return GLUE.format(
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
