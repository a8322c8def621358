"""Compiles the kernels of games in lock-step. Beside ``compile`` and ``kept`` the only file that imports numba."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from parlour.game import Game, P, has_move
from parlour.kernels import lockstep
from parlour.kernels.compile import compilable, learn
from parlour.kernels.kept import implements, kept_jit
from parlour.kernels.lockstep import Lockstep, make_lockstep
from parlour.options import O

# Tuples are as long as their game wants them: read and written field by field without a loop.

_array_in: Any = make_array  # Numba gives these no types
_pointer_to: Any = cgutils.get_item_pointer


def _pointers(context: Any, builder: Any, array_type: Any, array: Any, place: Any, count: int) -> list[Any]:
    """Where the fields of a column are."""
    made = _array_in(array_type)(context, builder, array)
    rows = [context.get_constant(types.intp, row) for row in range(count)]
    return [
        _pointer_to(context, builder, array_type, made, [row, place], wraparound=False, boundscheck=False)
        for row in rows
    ]


def _code_to_read(typing_context: Any, like: Any, columns: Any, place: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _, columns_type, _ = signature.args
        _, array, at = arguments
        pointers = _pointers(context, builder, columns_type, array, at, like.count)
        return context.make_tuple(builder, signature.return_type, [builder.load(pointer) for pointer in pointers])

    return like(like, columns, place), generate


def _code_to_write(typing_context: Any, columns: Any, place: Any, values: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, at, made = arguments
        for field, pointer in enumerate(_pointers(context, builder, columns, array, at, values.count)):
            builder.store(builder.extract_value(made, field), pointer)
        return context.get_dummy_value()

    return types.void(columns, place, values), generate


def _code_to_write_word(typing_context: Any, out: Any, place: Any, word: Any) -> Any:
    """Eight bytes at once, wherever they begin."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, at, value = arguments
        made = _array_in(out)(context, builder, array)
        pointer = _pointer_to(context, builder, out, made, [at], wraparound=False, boundscheck=False)
        builder.store(value, builder.bitcast(pointer, value.type.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(out, place, word), generate


_read: Any = intrinsic(_code_to_read)
_write: Any = intrinsic(_code_to_write)
_write_word: Any = intrinsic(_code_to_write_word)


@implements(lockstep.read_fields)
def _overload_read_fields(like: Any, columns: Any, place: Any) -> Any:
    def read_fields(like: Any, columns: Any, place: Any) -> Any:
        return _read(like, columns, np.int64(place))

    return read_fields


@implements(lockstep.write_fields)
def _overload_write_fields(columns: Any, place: Any, values: Any) -> Any:
    def write_fields(columns: Any, place: Any, values: Any) -> Any:
        _write(columns, np.int64(place), values)

    return write_fields


@implements(lockstep.read_state)
def _overload_read_state(states: Any, place: Any) -> Any:
    def read_state(states: Any, place: Any) -> Any:
        return states[place]

    return read_state


@implements(lockstep.write_eight)
def _overload_write_eight(out: Any, place: Any, bits: Any, spread: Any) -> Any:
    def write_eight(out: Any, place: Any, bits: Any, spread: Any) -> Any:
        _write_word(out, np.int64(place), spread[bits])

    return write_eight


for _function in (has_move, lockstep.begin_game, lockstep.eight_moves, lockstep.known_score):
    learn(_function)


@cache
def lockstep_kernels(game: Game[O, P]) -> Lockstep:
    """The kernels of a game, each compiled when it is first used; several threads can run them at once."""
    return make_lockstep(compilable(game), kept_jit(nogil=True))
