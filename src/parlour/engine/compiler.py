"""A compiler from a checked subset of Python to C.

The subset covers rules and searches: functions with annotated arguments over integers, floats, NamedTuples of them and
arrays; assignments, ``if``, ``while``, ``for`` over a range or a constant tuple, and calls of such functions. Anything
else is refused with file, line and remedy, so that compiled code always has the semantics of Python.

Integers have 64 bits. Shifts by any amount, floor division, remainders, powers and negative numbers have the semantics
of Python. Sums, differences, products, left shifts and bitwise operations are correct in their lower 64 bits, so an
intermediate result may be larger if a mask follows: ``pool & (increments << last)``. Code built with ``-DCHECKED``
traps if a value needs more than 64 bits: tests run the built-in games in this mode, and users' games are always built
in it.

This module translates functions and their statements. ``expressions`` translates expressions, and ``kinds`` has the
kinds of values.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import FunctionType

from parlour.engine.expressions import OWN_FUNCTIONS, ExpressionWriter, assigned_names, constant_int
from parlour.engine.kinds import FLOAT, INT, NOTHING, WORD, Array, Declarations, Kind, Record, Signature, refuse


@dataclass
class Unit(Declarations):
    """A C file with all kernels of a game."""

    files: frozenset[str] = frozenset()  # the only files that functions may come from; empty: any file
    prototypes: list[str] = field(default_factory=list, init=False)
    bodies: list[str] = field(default_factory=list, init=False)
    _functions: dict[FunctionType, Signature] = field(default_factory=dict, init=False)
    _open: list[FunctionType] = field(default_factory=list, init=False)  # functions whose bodies are unfinished
    _recursive: set[FunctionType] = field(default_factory=set, init=False)

    def function(self, function: FunctionType) -> Signature:
        """Return the C function of a Python function, which is compiled at its first use."""
        if function not in self._functions:
            if self.files and inspect.getsourcefile(function) not in self.files:
                refuse(function, f"{function.__name__!r} of another file", OWN_FUNCTIONS)
            writer = FunctionWriter(self, function)
            name = f"{function.__name__}_{len(self._functions)}"
            self._functions[function] = Signature(name, writer.result, tuple(writer.parameters.values()))
            self._open.append(function)
            body = writer.write()
            self._open.remove(function)
            given = ", ".join(f"{kind.c} v_{parameter}" for parameter, kind in writer.parameters.items()) or "void"
            # Inlining lets the C compiler reuse the caller's results.
            inline = "" if function in self._recursive else "inline __attribute__((always_inline)) "
            head = f"static {inline}{writer.result.c} {name}({given})"
            self.prototypes.append(f"{head};")
            self.bodies.append(f"{head} {{\n{body}}}\n")
        elif function in self._open:
            self._recursive.add(function)
        return self._functions[function]

    def export(self, name: str, function: FunctionType, cases: Sequence[dict[str, int]] = ()) -> None:
        """Export a function with its arguments and results in one block of 64-bit words.

        A record takes one word for each field. ``cases`` are constant values of some arguments: for each of them
        another copy of the function is compiled, optimised for these values.
        """
        called = self.function(function)
        place = 0

        def argument(kind: Kind) -> str:
            nonlocal place
            if isinstance(kind, Record):
                return f"(({kind.c}){{{', '.join(argument(each) for _, each in kind.fields)}}})"
            place += 1
            if kind is FLOAT:
                return f"*(double *)(door + {place - 1})"
            address = "" if kind in (INT, WORD) else "(unsigned long)"
            return f"({kind.c}){address}door[{place - 1}]"

        arguments = dict(zip(inspect.signature(function).parameters, map(argument, called.parameters), strict=True))
        stored = "" if called.result is NOTHING else f"*({called.result.c} *)door = "
        calls = []
        for case in (*cases, {}):
            given = arguments | {argument: str(value) for argument, value in case.items()}
            condition = " && ".join(f"{arguments[argument]} == {value}" for argument, value in case.items()) or "1"
            calls.append(f"if ({condition}) {{ {stored}{called.name}({', '.join(given.values())}); }}")
        self.bodies.append(f"static void {name}_body(i64 *door) {{ {' else '.join(calls)} }}\nDOOR({name})\n")

    def text(self, glue: str = "") -> str:
        """Return the file. ``glue`` is hand-written C that follows the declarations and precedes the functions."""
        return "\n".join([*self.declarations, glue, *self.prototypes, "", *self.bodies])


class FunctionWriter(ExpressionWriter):
    """The body of one function."""

    def __init__(self, unit: Declarations, function: FunctionType) -> None:
        super().__init__(unit, function)
        self.lines: list[str] = []

    def write(self) -> str:
        """Return the body in C."""
        if self.result is not NOTHING and not _always_returns(self.definition.body):
            self.refuse(self.definition, "an end without a return", "a return statement at the end")
        self.block(self.definition.body, 1)
        declared = [
            f"  {kind.c} v_{name} = {'{}' if isinstance(kind, Record) else '0'};\n"
            for name, kind in self.kinds.items()
            if name not in self.parameters
        ]
        return "".join(declared) + "".join(f"{line}\n" for line in self.lines)

    def emit(self, depth: int, text: str) -> None:
        """Append a line. Refuse expressions that depend on the order of evaluation, which C does not define."""
        if self.writes and self.writes + self.reads > 1:
            self.refuse(self.current, "a call that may change an array beside other uses of arrays", "two lines")
        self.writes = self.reads = 0
        self.lines.append("  " * depth + text)

    def block(self, statements: Sequence[ast.stmt], depth: int) -> None:
        for statement in statements:
            self.statement(statement, depth)

    def branch(self, statements: Sequence[ast.stmt], depth: int) -> set[str] | None:
        """Translate a block that may be skipped; return the variables with a value at its end (None: unreachable)."""
        before = set(self.assigned or ())
        self.assigned = set(before)
        self.block(statements, depth + 1)
        after, self.assigned = self.assigned, before
        return after

    def statement(self, node: ast.stmt, depth: int) -> None:
        self.current = node
        if self.assigned is None:
            self.refuse(node, "a statement that is never reached", "no statement there")
        match node:
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                pass
            case ast.Expr(value=ast.Call() as call):
                self.emit(depth, f"{self.expression(call, NOTHING)[0]};")
            case ast.Return(value=value):
                if (value is None) != (self.result is NOTHING):
                    self.refuse(node, f"{ast.unparse(node)!r}", "a value of the kind that the annotation says")
                self.emit(depth, f"return {self.coerced(value, self.result)};" if value else "return;")
                self.assigned = None
            case ast.Assign(targets=[ast.Tuple() as target], value=value):
                self.unpack(target, value, depth)
            case ast.Assign(targets=targets, value=value):
                text, kind = self.expression(value)
                if len(targets) > 1:
                    held = self.temporary()
                    self.emit(depth, f"{kind.c} {held} = {text};")
                    text = held
                for each in targets:
                    self.assign(each, text, kind, depth)
            case ast.AnnAssign(target=ast.Name() as target, value=value) if value is not None:
                self.assign(target, *self.expression(value), depth)
            case ast.AugAssign(target=target, op=op, value=value):
                if any(isinstance(each, ast.Call) for each in ast.walk(target)):
                    self.refuse(node, f"{ast.unparse(target)!r}, which is evaluated twice,", "a name for the place")
                combined = ast.copy_location(ast.BinOp(target, op, value), node)
                self.assign(target, *self.expression(combined), depth)
            case ast.If(test=test, body=body, orelse=orelse):
                self.emit(depth, f"if ({self.condition(test)}) {{")
                then = self.branch(body, depth)
                self.emit(depth, "} else {")
                otherwise = self.branch(orelse, depth)
                self.emit(depth, "}")
                self.assigned = otherwise if then is None else then if otherwise is None else then & otherwise
            case ast.While(test=test, body=body, orelse=[]):
                self.emit(depth, f"while ({self.condition(test)}) {{")
                self.branch(body, depth)
                self.emit(depth, "}")
            case ast.For(target=ast.Name(id=name), iter=over, body=body, orelse=[]):
                self.loop(name, over, body, depth)
            case ast.Break() | ast.Continue():
                self.emit(depth, f"{ast.unparse(node)};")
                self.assigned = None
            case _:
                self.refuse(node, f"'{_first_word(node)}'", "assignments, if, while, for over a range, return")

    def loop(self, name: str, over: ast.expr, body: Sequence[ast.stmt], depth: int) -> None:
        place, end = self.temporary(), self.temporary()
        match over:
            case ast.Call(func=ast.Name(id="range" as called), args=args, keywords=[]) if (
                1 <= len(args) <= 3 and called not in self.local_names and self.resolve(called) is range
            ):
                step = constant_int(args[2]) if len(args) == 3 else 1
                if not step:
                    self.refuse(over, "this step", "a whole number other than 0 that is written out")
                texts = [self.coerced(each, INT) for each in args[:2]]
                begin, stop = texts if len(texts) == 2 else ["0", *texts]
                bounds = [constant_int(each) for each in args[:2]]
                low, high = bounds if len(bounds) == 2 else [0, *bounds]
                if low is not None and high is not None and step == 1 and name not in assigned_names(body):
                    self.loops[name] = low, high
                self.declare(over, name, INT)
                compare = "<" if step > 0 else ">"
                forward = f"{place} += {step}"
                if abs(step) != 1:  # the last step would exceed the end, perhaps 64 bits
                    left = f"(u64){end} - (u64){place}" if step > 0 else f"(u64){place} - (u64){end}"
                    forward = f"{place} = {left} > {abs(step)} ? {place} + {step} : {end}"
                head = f"i64 {place} = {begin}, {end} = {stop}; {place} {compare} {end}; {forward}"
                self.emit(depth, f"for ({head}) {{")
                self.emit(depth + 1, f"v_{name} = {place};")
            case _:
                values = self.constant_tuple(over)
                if values is None:
                    self.refuse(over, "this loop", "for over range(...) or over a tuple of numbers")
                constant, kind = self.unit.constant(values)
                self.declare(over, name, kind)
                self.emit(depth, f"for (i64 {place} = 0; {place} < {len(values)}; {place}++) {{")
                self.emit(depth + 1, f"v_{name} = {constant}[{place}];")
        before = set(self.assigned or ())
        self.assigned = before | {name}
        self.branch(body, depth)
        self.assigned = before  # an empty loop does not set its variable
        self.emit(depth, "}")
        self.loops.pop(name, None)

    def declare(self, node: ast.AST, name: str, kind: Kind) -> None:
        """Set the kind of a variable; it cannot change later."""
        if self.kinds.setdefault(name, kind) != kind:
            self.refuse(node, f"{name!r}, which is now one kind of value and now another,", "two names")

    def assign(self, target: ast.expr, text: str, kind: Kind, depth: int) -> None:
        match target:
            case ast.Name(id=name):
                if self.kinds.get(name) is FLOAT and kind is INT:
                    text, kind = f"fraction({text})", FLOAT
                self.declare(target, name, kind)
                self.emit(depth, f"v_{name} = {text};")
                if self.assigned is not None:
                    self.assigned.add(name)
            case ast.Subscript(value=value, slice=index):
                array, array_kind = self.expression(value)
                if not isinstance(array_kind, Array):
                    self.refuse(target, "this assignment", "an array that is an argument")
                item = array_kind.item
                if item is FLOAT and kind is INT:
                    text, kind = f"fraction({text})", FLOAT
                if kind != item:
                    self.refuse(target, "this assignment", "a value of the array's kind")
                text = f"STORED({array_kind.stored}, {text})" if item is INT else text
                self.emit(depth, f"{array}[{self.array_index(index)}] = {text};")
            case _:
                self.refuse(target, "this assignment", "a name, or an item of an array")

    def unpack(self, target: ast.Tuple, value: ast.expr, depth: int) -> None:
        if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts):
            parts = [self.expression(each) for each in value.elts]
        else:
            text, kind = self.expression(value)
            if not isinstance(kind, Record) or len(kind.fields) != len(target.elts):
                self.refuse(value, "this unpacking", "a tuple of as many values")
            whole = self.temporary()
            self.emit(depth, f"{kind.c} {whole} = {text};")
            parts = [(f"{whole}.f_{name}", each) for name, each in kind.fields]
        held = []
        for text, kind in parts:
            held.append(self.temporary())
            self.emit(depth, f"{kind.c} {held[-1]} = {text};")
        for each, name, (_, kind) in zip(target.elts, held, parts, strict=True):
            self.assign(each, name, kind, depth)


def _always_returns(body: Sequence[ast.stmt]) -> bool:
    match body[-1] if body else None:
        case ast.Return():
            return True
        case ast.If(body=then, orelse=otherwise):
            return _always_returns(then) and _always_returns(otherwise)
    return False


def _first_word(node: ast.AST) -> str:
    return ast.unparse(node).split()[0].rstrip(":(")
