"""A compiler from a checked subset of Python to C.

The subset covers rules and searches: functions with annotated arguments over integers, floats, NamedTuples of them and
arrays; assignments, ``if``, ``while``, ``for`` over a range or a constant tuple, and calls of such functions. All else
is refused with file, line and remedy, so that compiled code never means something else than Python.

Integers have 64 bits. Shifts by any amount, floor division, remainders, powers and negative numbers mean what they mean
in Python. Sums, differences, products, left shifts and bitwise operations are correct in their lower 64 bits, so an
intermediate result may be larger as long as a mask brings it back: ``pool & (increments << last)``. Whether a program
ever needs more than 64 bits depends on its input. Code built with ``-DCHECKED`` traps where that happens: tests run the
built-in games in this mode, and games of users are always built in it.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import math
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType, NoneType
from typing import Any, NoReturn, get_args, get_origin, get_type_hints

from parlour.engine.artefacts import NotCompilable
from parlour.engine.types import Bytes, Floats, Ints, Octets, Shorts, Table, Word, Words


@dataclass(frozen=True)
class Kind:
    """What a value is in C."""

    c: str


@dataclass(frozen=True)
class Array(Kind):
    """Many values of one kind, which the caller keeps."""

    item: Kind
    stored: str  # the type of an item in memory


@dataclass(frozen=True)
class Record(Kind):
    """A NamedTuple or a tuple, by value."""

    fields: tuple[tuple[str, Kind], ...]

    def kind_of(self, name: str) -> Kind | None:
        return dict(self.fields).get(name)


INT, FLOAT, NOTHING = Kind("i64"), Kind("double"), Kind("void")
WORD = Kind("u64")  # a state of a random sequence, opaque except to primitives
TABLE = Kind("Table *")


ARRAYS = {
    Ints: Array("i64 *", INT, "i64"),
    Shorts: Array("short *", INT, "short"),
    Bytes: Array("signed char *", INT, "signed char"),
    Octets: Array("unsigned char *", INT, "unsigned char"),
    Floats: Array("double *", FLOAT, "double"),
    Words: Array("u64 *", WORD, "u64"),
}


@dataclass(frozen=True)
class Primitive:
    """A function whose C body is in runtime.c. Its Python body says what it means, and tests compare the two.

    One that returns a value changes no array and no table.
    """

    name: str
    result: Kind
    takes: tuple[Kind, ...] | None = None  # kinds of the arguments; None: not checked


@dataclass
class Unit:
    """One file of C: everything that a game's kernels need."""

    primitives: Mapping[Callable[..., Any], Primitive]
    types: Mapping[Any, Any] = field(default_factory=dict)  # what type variables and opaque classes stand for
    files: frozenset[str] = frozenset()  # functions must come from these; empty: from anywhere
    declarations: list[str] = field(default_factory=list)
    prototypes: list[str] = field(default_factory=list)
    bodies: list[str] = field(default_factory=list)
    _records: dict[Any, Record] = field(default_factory=dict)
    _functions: dict[FunctionType, tuple[str, list[Kind], Kind]] = field(default_factory=dict)
    _constants: dict[Any, str] = field(default_factory=dict)
    _open: list[FunctionType] = field(default_factory=list)  # functions that are being written
    _recursive: set[FunctionType] = field(default_factory=set)

    def kind_of(self, annotation: Any) -> Kind | None:
        """What an annotated value is in C; None if it is nothing that can be compiled."""
        annotation = self.types.get(annotation, annotation)
        if isinstance(annotation, Kind):
            return annotation
        if annotation in (int, bool):
            return INT
        if annotation is float:
            return FLOAT
        if annotation is Word:
            return WORD
        if annotation is Table:
            return TABLE
        if annotation in (None, NoneType):
            return NOTHING
        if annotation in ARRAYS:
            return ARRAYS[annotation]
        if isinstance(annotation, type) and issubclass(annotation, tuple) and hasattr(annotation, "_fields"):
            return self.record(annotation)
        if get_origin(annotation) is tuple:
            kinds = [self.kind_of(each) for each in get_args(annotation)]
            return None if None in kinds else self.tuple_of(tuple(kind for kind in kinds if kind))
        supertype = getattr(annotation, "__supertype__", None)  # a NewType
        return self.kind_of(supertype) if supertype is not None else None

    def record(self, cls: Any) -> Record:
        """The struct of a NamedTuple."""
        if cls not in self._records:
            fields = []
            for name, annotation in get_type_hints(cls).items():
                kind = self.kind_of(annotation)
                if kind is None or kind is NOTHING or isinstance(kind, Record):
                    refuse(cls, f"the field {name!r} of {cls.__name__!r}", "the annotation int")
                fields.append((name, kind))
            self._declare(cls, cls.__name__, tuple(fields))
        return self._records[cls]

    def tuple_of(self, kinds: tuple[Kind, ...]) -> Record:
        """The struct of a tuple without a name."""
        if kinds not in self._records:
            self._declare(kinds, "tuple", tuple((f"_{place}", kind) for place, kind in enumerate(kinds)))
        return self._records[kinds]

    def _declare(self, key: Any, name: str, fields: tuple[tuple[str, Kind], ...]) -> None:
        record = Record(f"{name}_{len(self._records)}", fields)
        members = " ".join(f"{kind.c} f_{name};" for name, kind in fields)
        self.declarations.append(f"typedef struct {{ {members} }} {record.c};")
        self._records[key] = record

    def constant(self, values: tuple[Any, ...]) -> tuple[str, Kind]:
        """A tuple of numbers as an array: its name and the kind of its items."""
        kind = FLOAT if isinstance(values[0], float) else INT
        text = f"[] = {{{', '.join(map(_number, values))}}};"
        if text not in self._constants:
            name = self._constants[text] = f"constant_{len(self._constants)}"
            self.declarations.append(f"static const {kind.c} {name}{text}")
        return self._constants[text], kind

    def function(self, function: FunctionType) -> tuple[str, list[Kind], Kind]:
        """The C function of a Python function: its name, what it takes and what it returns."""
        if function not in self._functions:
            if self.files and inspect.getsourcefile(function) not in self.files:
                refuse(
                    function,
                    f"{function.__name__!r} of another file",
                    "functions of the game's file or of parlour.game",
                )
            writer = Writer(self, function)
            name = f"{function.__name__}_{len(self._functions)}"
            self._functions[function] = name, [kind for _, kind in writer.arguments], writer.result
            self._open.append(function)
            body = writer.write()
            self._open.remove(function)
            given = ", ".join(f"{kind.c} v_{argument}" for argument, kind in writer.arguments) or "void"
            # So that one function need not find again what another has just found.
            inline = "" if function in self._recursive else "inline __attribute__((always_inline)) "
            head = f"static {inline}{writer.result.c} {name}({given})"
            self.prototypes.append(f"{head};")
            self.bodies.append(f"{head} {{\n{body}}}\n")
        elif function in self._open:
            self._recursive.add(function)
        return self._functions[function]

    def door(self, name: str, function: FunctionType, cases: Sequence[dict[str, int]] = ()) -> None:
        """Export a function. Arguments and result are numbers of 64 bits in one block; a record is its fields.

        Each of the ``cases``, values of some arguments, gets a copy of the function that is optimised for it.
        """
        called, kinds, result = self.function(function)
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

        arguments = dict(zip(inspect.signature(function).parameters, map(argument, kinds), strict=True))
        stored = "" if result is NOTHING else f"*({result.c} *)door = "
        calls = []
        for case in (*cases, {}):
            given = arguments | {argument: str(value) for argument, value in case.items()}
            condition = " && ".join(f"{arguments[argument]} == {value}" for argument, value in case.items()) or "1"
            calls.append(f"if ({condition}) {{ {stored}{called}({', '.join(given.values())}); }}")
        self.bodies.append(f"static void {name}_body(i64 *door) {{ {' else '.join(calls)} }}\nDOOR({name})\n")

    def text(self) -> str:
        return "\n".join([*self.declarations, "", *self.prototypes, "", *self.bodies])


ARITHMETIC = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
BITWISE = {ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"}
MODULAR = ast.Add | ast.Sub | ast.Mult  # the lower bits of the result depend on lower bits alone
CALLED: dict[type[ast.operator], str] = {
    ast.Add: "added",
    ast.Sub: "subtracted",
    ast.Mult: "multiplied",
    ast.FloorDiv: "floor_div",
    ast.Mod: "floor_mod",
    ast.Pow: "power",
    ast.LShift: "shift_left",
    ast.RShift: "shift_right",
}
COMPARED = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
OWN_FUNCTIONS = "functions of the game's file or of parlour.game"
PLAIN_CALLS = ("abs", "bool", "float", "int", "len", "max", "min")


def refuse(thing: Any, what: str, remedy: str, line: int | None = None) -> NoReturn:
    """Refuse to compile a function or class, with file, line and remedy."""
    try:
        thing = inspect.unwrap(thing)
        file = inspect.getsourcefile(thing)
        line = line or inspect.getsourcelines(thing)[1]
    except (OSError, TypeError):  # has no source
        file, line = getattr(thing, "__module__", None), line or 0
    raise NotCompilable(f"{file}:{line}: {what} cannot be compiled; use {remedy}")


class Writer:
    """Writes the body of one function."""

    def __init__(self, unit: Unit, function: FunctionType) -> None:
        self.unit, self.function = unit, function
        name = getattr(function, "__name__", "a rule")
        try:
            lines, first = inspect.getsourcelines(function)
            definition = ast.parse(textwrap.dedent("".join(lines))).body[0]
            self.names = inspect.getclosurevars(function)
            hints = get_type_hints(function, {**function.__globals__}, {**self.names.nonlocals})
        except Exception as error:  # no source, part of a line, unknown names in annotations
            refuse(function, f"{name!r} ({type(error).__name__})", "a function of its own that begins with 'def'")
        ast.increment_lineno(definition, first - 1)
        is_wrapped = hasattr(function, "__wrapped__") or type(function) is not FunctionType
        if not isinstance(definition, ast.FunctionDef) or definition.decorator_list or is_wrapped:
            refuse(function, f"{name!r}", "a function that begins with 'def' and has no decorator")
        self.definition = definition
        spec = definition.args
        if spec.vararg or spec.kwarg or spec.kwonlyargs or spec.defaults or spec.posonlyargs:
            self.refuse(definition, "these arguments", "plain positional arguments without defaults")
        self.arguments: list[tuple[str, Kind]] = []
        for argument in spec.args:
            kind = unit.kind_of(hints.get(argument.arg))
            if kind is None or kind is NOTHING:
                self.refuse(definition, f"the argument {argument.arg!r}", "the annotation int, float or a NamedTuple")
            self.arguments.append((argument.arg, kind))
        result = unit.kind_of(hints.get("return", inspect.Signature.empty))
        if result is None:
            self.refuse(
                definition, "what it returns", "the annotation int, float, None, a NamedTuple or tuple[int, int]"
            )
        self.result = result
        self.locals: dict[str, Kind] = dict(self.arguments)
        self.own = {name for name, _ in self.arguments} | _assigned(definition.body)  # the names of all local variables
        self.known: set[str] | None = {name for name, _ in self.arguments}  # have a value here; None: not reached
        self.calls = self.reads = 0  # in the statement: calls that may write to arrays or tables, and reads of arrays
        self.loops: dict[str, tuple[int, int]] = {}  # variables of loops over constants, with their bounds
        self.lines: list[str] = []
        self.temporaries = 0

    def refuse(self, node: ast.AST, what: str, remedy: str) -> NoReturn:
        refuse(self.function, what, remedy, getattr(node, "lineno", None))

    def write(self) -> str:
        if self.result is not NOTHING and not _always_returns(self.definition.body):
            self.refuse(self.definition, "an end without a return", "a return statement at the end")
        self.block(self.definition.body, 1)
        given = dict(self.arguments)
        declared = [
            f"  {kind.c} v_{name} = {_zero(kind)};\n" for name, kind in self.locals.items() if name not in given
        ]
        return "".join(declared) + "".join(f"{line}\n" for line in self.lines)

    def say(self, depth: int, text: str) -> None:
        if self.calls and self.calls + self.reads > 1:  # C may evaluate them in another order
            self.refuse(self.current, "a call that may change an array beside other uses of arrays", "two lines")
        self.calls = self.reads = 0
        self.lines.append("  " * depth + text)

    def temporary(self) -> str:
        self.temporaries += 1
        return f"t{self.temporaries}"

    # Statements.

    def block(self, statements: Sequence[ast.stmt], depth: int) -> None:
        for statement in statements:
            self.statement(statement, depth)

    def branch(self, statements: Sequence[ast.stmt], depth: int) -> set[str] | None:
        """A block that may be left out: the variables that have a value after it."""
        before = set(self.known or ())
        self.known = set(before)
        self.block(statements, depth + 1)
        after, self.known = self.known, before
        return after

    def statement(self, node: ast.stmt, depth: int) -> None:
        self.current = node
        if self.known is None:
            self.refuse(node, "a statement that is never reached", "no statement there")
        match node:
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                pass
            case ast.Expr(value=ast.Call() as call):
                self.say(depth, f"{self.expression(call, NOTHING)[0]};")
            case ast.Return(value=value):
                if (value is None) != (self.result is NOTHING):
                    self.refuse(node, f"{ast.unparse(node)!r}", "a value of the kind that the annotation says")
                self.say(depth, f"return {self.wanted(value, self.result)};" if value else "return;")
                self.known = None
            case ast.Assign(targets=[ast.Tuple() as target], value=value):
                self.unpack(target, value, depth)
            case ast.Assign(targets=targets, value=value):
                text, kind = self.expression(value)
                if len(targets) > 1:
                    held = self.temporary()
                    self.say(depth, f"{kind.c} {held} = {text};")
                    text = held
                for each in targets:
                    self.put(each, text, kind, depth)
            case ast.AnnAssign(target=ast.Name() as target, value=value) if value is not None:
                self.put(target, *self.expression(value), depth)
            case ast.AugAssign(target=target, op=op, value=value):
                if any(isinstance(each, ast.Call) for each in ast.walk(target)):
                    self.refuse(node, f"{ast.unparse(target)!r}, which is evaluated twice,", "a name for the place")
                combined = ast.copy_location(ast.BinOp(target, op, value), node)
                self.put(target, *self.expression(combined), depth)
            case ast.If(test=test, body=body, orelse=orelse):
                self.say(depth, f"if ({self.truth(test)}) {{")
                then = self.branch(body, depth)
                self.say(depth, "} else {")
                otherwise = self.branch(orelse, depth)
                self.say(depth, "}")
                self.known = otherwise if then is None else then if otherwise is None else then & otherwise
            case ast.While(test=test, body=body, orelse=[]):
                self.say(depth, f"while ({self.truth(test)}) {{")
                self.branch(body, depth)
                self.say(depth, "}")
            case ast.For(target=ast.Name(id=name), iter=over, body=body, orelse=[]):
                self.loop(name, over, body, depth)
            case ast.Break() | ast.Continue():
                self.say(depth, f"{ast.unparse(node)};")
                self.known = None
            case _:
                self.refuse(node, f"'{_first_word(node)}'", "assignments, if, while, for over a range, return")

    def loop(self, name: str, over: ast.expr, body: Sequence[ast.stmt], depth: int) -> None:
        place, end = self.temporary(), self.temporary()
        match over:
            case ast.Call(func=ast.Name(id="range" as called), args=args, keywords=[]) if (
                1 <= len(args) <= 3 and called not in self.own and self.meaning(called) is range
            ):
                step = _constant_int(args[2]) if len(args) == 3 else 1
                if not step:
                    self.refuse(over, "this step", "a whole number other than 0 that is written out")
                texts = [self.wanted(each, INT) for each in args[:2]]
                begin, stop = texts if len(texts) == 2 else ["0", *texts]
                bounds = [_constant_int(each) for each in args[:2]]
                low, high = bounds if len(bounds) == 2 else [0, *bounds]
                if low is not None and high is not None and step == 1 and name not in _assigned(body):
                    self.loops[name] = low, high
                self.local(over, name, INT)
                compare = "<" if step > 0 else ">"
                forward = f"{place} += {step}"
                if abs(step) != 1:  # the last step would lead beyond the end, perhaps beyond 64 bits
                    left = f"(u64){end} - (u64){place}" if step > 0 else f"(u64){place} - (u64){end}"
                    forward = f"{place} = {left} > {abs(step)} ? {place} + {step} : {end}"
                head = f"i64 {place} = {begin}, {end} = {stop}; {place} {compare} {end}; {forward}"
                self.say(depth, f"for ({head}) {{")
                self.say(depth + 1, f"v_{name} = {place};")
            case _:
                values = self.constant_tuple(over)
                if values is None:
                    self.refuse(over, "this loop", "for over range(...) or over a tuple of numbers")
                constant, kind = self.unit.constant(values)
                self.local(over, name, kind)
                self.say(depth, f"for (i64 {place} = 0; {place} < {len(values)}; {place}++) {{")
                self.say(depth + 1, f"v_{name} = {constant}[{place}];")
        before = set(self.known or ())
        self.known = before | {name}
        self.branch(body, depth)
        self.known = before  # a loop over nothing gives no value to its variable
        self.say(depth, "}")
        self.loops.pop(name, None)

    def local(self, node: ast.AST, name: str, kind: Kind) -> None:
        if self.locals.setdefault(name, kind) != kind:
            self.refuse(node, f"{name!r}, which is now one kind of value and now another,", "two names")

    def put(self, target: ast.expr, text: str, kind: Kind, depth: int) -> None:
        match target:
            case ast.Name(id=name):
                if self.locals.get(name) is FLOAT and kind is INT:
                    text, kind = f"fraction({text})", FLOAT
                self.local(target, name, kind)
                self.say(depth, f"v_{name} = {text};")
                if self.known is not None:
                    self.known.add(name)
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
                self.say(depth, f"{array}[{self.place(index)}] = {text};")
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
            self.say(depth, f"{kind.c} {whole} = {text};")
            parts = [(f"{whole}.f_{name}", each) for name, each in kind.fields]
        held = []
        for text, kind in parts:
            held.append(self.temporary())
            self.say(depth, f"{kind.c} {held[-1]} = {text};")
        for each, name, (_, kind) in zip(target.elts, held, parts, strict=True):
            self.put(each, name, kind, depth)

    # Expressions: the text in C, and what it is.

    def truth(self, node: ast.expr) -> str:
        match node:
            case ast.BoolOp(op=op, values=values):
                return "(" + (" && " if isinstance(op, ast.And) else " || ").join(map(self.truth, values)) + ")"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"!{self.truth(operand)}"
        text, kind = self.expression(node)
        if kind not in (INT, FLOAT):
            self.refuse(node, "this condition", "a comparison of numbers")
        return f"({text})"

    def wanted(self, node: ast.expr, kind: Kind) -> str:
        """An expression where one kind of value is wanted."""
        text, found = self.expression(node, kind)
        if kind is FLOAT and found is INT:
            return f"fraction({text})"
        if found != kind:
            self.refuse(node, f"{ast.unparse(node)!r}, whose kind is not the declared one,", "what the annotation says")
        return text

    def expression(self, node: ast.expr, expected: Kind | None = None) -> tuple[str, Kind]:
        match node:
            case ast.Constant(value=bool() | int() | float() as value):
                return self.literal(node, value)
            case ast.Name(id=name):
                return self.name(node, name)
            case ast.Attribute(value=value, attr=attr):
                return self.attribute(node, value, attr)
            case ast.Tuple(elts=elts):
                return self.make_tuple(elts, expected)
            case ast.BinOp() | ast.UnaryOp(op=ast.USub() | ast.Invert()):
                text, kind = self.number(node)
                return f"exact({text})" if kind is INT else text, kind
            case ast.UnaryOp(op=ast.Not()):
                return f"(i64){self.truth(node)}", INT
            case ast.BoolOp(op=op, values=values):
                return self.either(op, values)
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                return self.compare(left, ops, comparators), INT
            case ast.IfExp(test=test, body=body, orelse=orelse):
                text, kind = self.expression(body, expected)
                return f"({self.truth(test)} ? {text} : {self.wanted(orelse, kind)})", kind
            case ast.Subscript(value=value, slice=index):
                return self.item(node, value, index)
            case ast.Call(func=func, args=args, keywords=keywords):
                return self.call(node, func, args, keywords, expected)
        return self.refuse(node, f"{ast.unparse(node)!r}", "numbers, comparisons, NamedTuples and calls of functions")

    def number(self, node: ast.expr) -> tuple[str, Kind]:
        """A number of which only the lower 64 bits are needed, or a float."""
        match node:
            case ast.BinOp(left=left, op=op, right=right):
                return self.binary(node, left, op, right)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                text, kind = self.number(operand)
                return (f"negated({text})" if kind is INT else f"(-{text})"), kind
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                text, kind = self.number(operand)
                return (f"(~{text})", kind) if kind is INT else self.refuse(node, "'~' of a float", "integers")
        text, kind = self.expression(node)
        if kind not in (INT, FLOAT):
            self.refuse(node, f"{ast.unparse(node)!r}, which is not a number,", "numbers")
        return text, kind

    def literal(self, node: ast.expr, value: float) -> tuple[str, Kind]:
        if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
            self.refuse(node, f"{ast.unparse(node)} = {value}", "a number of at most 63 bits")
        return _number(value), FLOAT if isinstance(value, float) else INT

    def place(self, index: ast.expr) -> str:
        """A place in an array."""
        constant = _constant_int(index)
        if constant is not None and constant < 0:
            self.refuse(index, "a negative place in an array", "a place counted from the beginning")
        return f"at({self.wanted(index, INT)})"

    def meaning(self, name: str) -> Any:
        """What a name other than a local variable means in Python; NotImplemented if nothing."""
        for names in (self.names.nonlocals, self.names.globals, self.names.builtins):
            if name in names:
                return names[name]
        return self.function.__globals__.get(name, NotImplemented)

    def name(self, node: ast.expr, name: str) -> tuple[str, Kind]:
        if name in self.own:
            if name not in (self.known or ()):
                self.refuse(node, f"{name!r}, which may have no value here,", "a value on every way to this line")
            return f"v_{name}", self.locals[name]
        meant = self.meaning(name)
        if isinstance(meant, bool | int | float):
            return self.literal(node, meant)
        return self.refuse(node, f"{name!r}", "local variables and constants that are numbers")

    def attribute(self, node: ast.expr, value: ast.expr, attr: str) -> tuple[str, Kind]:
        text, kind = self.expression(value)
        found = kind.kind_of(attr) if isinstance(kind, Record) else None
        if found is None:
            return self.refuse(node, f"{ast.unparse(node)!r}", "a field of a NamedTuple")
        return f"{text}.f_{attr}", found

    def make_tuple(self, elts: Sequence[ast.expr], expected: Kind | None) -> tuple[str, Kind]:
        if isinstance(expected, Record) and len(expected.fields) == len(elts):
            texts = [self.wanted(each, kind) for each, (_, kind) in zip(elts, expected.fields, strict=True)]
            return f"(({expected.c}){{{', '.join(texts)}}})", expected
        parts = [self.expression(each) for each in elts]
        record = self.unit.tuple_of(tuple(kind for _, kind in parts))
        return f"(({record.c}){{{', '.join(text for text, _ in parts)}}})", record

    def binary(self, node: ast.expr, left: ast.expr, op: ast.operator, right: ast.expr) -> tuple[str, Kind]:
        (one, first), (two, second) = self.number(left), self.number(right)
        if first is second is INT and type(op) in BITWISE:
            return f"({one} {BITWISE[type(op)]} {two})", INT
        if first is second is INT and type(op) in CALLED:
            one = one if isinstance(op, MODULAR | ast.LShift) else f"exact({one})"
            two = two if isinstance(op, MODULAR) else f"exact({two})"
            return f"{CALLED[type(op)]}({one}, {two})", INT
        one = f"fraction(exact({one}))" if first is INT else one
        two = f"fraction(exact({two}))" if second is INT else two
        if isinstance(op, ast.Div):
            return f"divided({one}, {two})", FLOAT
        if type(op) in ARITHMETIC:
            return f"({one} {ARITHMETIC[type(op)]} {two})", FLOAT
        return self.refuse(node, f"{ast.unparse(node)!r}", "+ - * / // % ** << >> & | ^ of integers, + - * / of floats")

    def either(self, op: ast.boolop, values: Sequence[ast.expr]) -> tuple[str, Kind]:
        """``a and b`` as a value: of numbers, whichever decides."""
        *earlier, last = values
        text, kind = self.expression(last)
        if kind not in (INT, FLOAT):
            self.refuse(last, f"{ast.unparse(last)!r}, which is not a number,", "numbers")
        for node in reversed(earlier):
            name = self.temporary()
            first = self.wanted(node, kind)
            one, two = (text, name) if isinstance(op, ast.And) else (name, text)
            text = f"({{ {kind.c} {name} = {first}; {name} ? {one} : {two}; }})"
        return text, kind

    def compare(self, left: ast.expr, ops: Sequence[ast.cmpop], comparators: Sequence[ast.expr]) -> str:
        if any(isinstance(each, ast.Call) for node in comparators[:-1] for each in ast.walk(node)):
            self.refuse(left, "a chain of comparisons with a call in the middle", "a name for what is called")
        texts, before = [], left
        for op, node in zip(ops, comparators, strict=True):
            if isinstance(op, ast.In | ast.NotIn):
                if not isinstance(node, ast.Tuple) or not node.elts:
                    self.refuse(node, f"{ast.unparse(node)!r}", "a tuple that is written out")
                held = self.temporary()
                among = " || ".join(f"{held} == {self.wanted(each, INT)}" for each in node.elts)
                negated = "!" if isinstance(op, ast.NotIn) else ""
                texts.append(f"{negated}({{ i64 {held} = {self.wanted(before, INT)}; {among}; }})")
            elif type(op) in COMPARED:
                texts.append(self.compare_two(before, op, node))
            else:
                self.refuse(node, f"'{type(op).__name__.lower()}'", "== != < <= > >= or in")
            before = node
        return f"(i64)({' && '.join(texts)})"

    def compare_two(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> str:
        (one, first), (two, second) = self.expression(left), self.expression(right)
        fields = first.fields if isinstance(first, Record) and isinstance(op, ast.Eq | ast.NotEq) else ()
        if fields and first == second and all(kind is INT for _, kind in fields):
            a, b = self.temporary(), self.temporary()
            same = " && ".join(f"{a}.f_{name} == {b}.f_{name}" for name, _ in fields)
            negated = "!" if isinstance(op, ast.NotEq) else ""
            return f"{negated}({{ {first.c} {a} = {one}, {b} = {two}; {same}; }})"
        if first not in (INT, FLOAT) or second not in (INT, FLOAT):
            self.refuse(left, "this comparison", "numbers")
        if first != second:  # Python compares exactly, C rounds the integer
            self.refuse(left, "a comparison of an integer with a float", "float(...) around the integer")
        return f"{one} {COMPARED[type(op)]} {two}"

    def constant_tuple(self, node: ast.expr) -> tuple[Any, ...] | None:
        if isinstance(node, ast.Name) and node.id not in self.own:
            found = self.meaning(node.id)
        elif isinstance(node, ast.Tuple):
            found = tuple(each.value for each in node.elts if isinstance(each, ast.Constant))
            found = found if len(found) == len(node.elts) else None
        else:
            return None
        if not isinstance(found, tuple) or not found or not all(isinstance(each, int | float) for each in found):
            return None
        kinds = {self.literal(node, each)[1] for each in found}
        return found if len(kinds) == 1 else self.refuse(node, "a tuple of integers and floats", "one kind of number")

    def item(self, node: ast.expr, value: ast.expr, index: ast.expr) -> tuple[str, Kind]:
        values = self.constant_tuple(value)
        if values is not None:
            place = self.wanted(index, INT)
            constant, kind = self.unit.constant(values)
            bounds = self.loops.get(index.id) if isinstance(index, ast.Name) else None
            if not (bounds and bounds[0] >= 0 and bounds[1] <= len(values)):
                place = f"within({place}, {len(values)})"
            return f"{constant}[{place}]", kind
        text, kind = self.expression(value)
        if isinstance(kind, Array):
            self.reads += 1
            return f"(({kind.item.c}){text}[{self.place(index)}])", kind.item
        number = _constant_int(index)
        if isinstance(kind, Record) and number is not None and 0 <= number < len(kind.fields):
            name, found = kind.fields[number]
            return f"{text}.f_{name}", found
        return self.refuse(node, f"{ast.unparse(node)!r}", "an item of an array, of a tuple of constants, or a field")

    def call(
        self, node: ast.Call, func: ast.expr, args: list[ast.expr], keywords: list[ast.keyword], expected: Kind | None
    ) -> tuple[str, Kind]:
        reads = self.reads
        match func:
            case ast.Attribute(value=value, attr="bit_length" | "bit_count" as method) if not args and not keywords:
                return f"{method}({self.wanted(value, INT)})", INT
            case ast.Attribute(value=value, attr="_replace") if not args:
                return self.replace(node, value, keywords)
            case ast.Name(id=name) if name not in self.own:
                meant = self.meaning(name)
            case _:
                return self.refuse(node, f"the call of {ast.unparse(func)!r}", OWN_FUNCTIONS)
        if isinstance(meant, type) and meant.__base__ is tuple and hasattr(meant, "_fields"):
            return self.construct(node, self.unit.record(meant), args, keywords)
        if keywords:
            return self.refuse(node, "an argument by its name", "arguments by their places")
        if name in PLAIN_CALLS and meant is getattr(builtins, name):
            return self.builtin(node, name, args)
        primitive = self.unit.primitives.get(meant) if callable(meant) else None
        kinds: Sequence[Kind] | None
        if primitive is not None:
            called, kinds, result = primitive.name, primitive.takes, primitive.result
        elif isinstance(meant, FunctionType):
            called, kinds, result = self.unit.function(meant)
        else:
            return self.refuse(node, f"the call of {name!r}", OWN_FUNCTIONS)
        if kinds is not None and len(kinds) != len(args):
            return self.refuse(node, "this call", f"{len(kinds)} arguments")
        if result is NOTHING and expected is not NOTHING:
            return self.refuse(node, f"the value of {name!r}, which returns none,", "a function that returns a value")
        if kinds is None:
            given = [self.expression(each) for each in args]
        else:
            given = [(self.wanted(each, kind), kind) for each, kind in zip(args, kinds, strict=True)]
        if any(_is_shared(kind) for _, kind in given):
            if primitive is not None and result is not NOTHING:
                self.reads += 1
            else:
                self.calls, self.reads = self.calls + 1, reads  # its arguments are evaluated before the call, in C too
        return f"{called}({', '.join(text for text, _ in given)})", result

    def construct(
        self, node: ast.Call, record: Record, args: list[ast.expr], keywords: list[ast.keyword]
    ) -> tuple[str, Kind]:
        given = dict(zip((name for name, _ in record.fields), args, strict=False))
        given.update({word.arg: word.value for word in keywords if word.arg})
        if list(given) != [name for name, _ in record.fields] or len(args) + len(keywords) != len(given):
            return self.refuse(node, "this tuple", "all fields in their order")
        texts = [self.wanted(given[name], kind) for name, kind in record.fields]
        return f"(({record.c}){{{', '.join(texts)}}})", record

    def replace(self, node: ast.Call, value: ast.expr, keywords: list[ast.keyword]) -> tuple[str, Kind]:
        text, kind = self.expression(value)
        if not isinstance(kind, Record):
            return self.refuse(node, f"{ast.unparse(node)!r}", "a NamedTuple")
        name, changes = self.temporary(), ""
        for word in keywords:
            found = kind.kind_of(word.arg or "")
            if found is None:
                return self.refuse(node, f"{word.arg!r}", "fields of the tuple")
            changes += f" {name}.f_{word.arg} = {self.wanted(word.value, found)};"
        return f"({{ {kind.c} {name} = {text};{changes} {name}; }})", kind

    def builtin(self, node: ast.Call, name: str, args: list[ast.expr]) -> tuple[str, Kind]:
        if name == "len":
            values = self.constant_tuple(args[0]) if len(args) == 1 else None
            if values is not None:
                return f"{len(values)}", INT
            kind = self.expression(args[0])[1] if len(args) == 1 else None
            if isinstance(kind, Record):
                return f"{len(kind.fields)}", INT
            return self.refuse(node, f"{ast.unparse(node)!r}", "the length as an argument")
        parts = [self.expression(each) for each in args]
        kinds = (INT, FLOAT) if name in ("int", "float") else (INT,)
        if any(kind not in kinds for _, kind in parts) or (
            len(parts) < 2 if name in ("max", "min") else len(parts) != 1
        ):
            return self.refuse(node, f"{ast.unparse(node)!r}", "an integer, of which max and min take several")
        (text, kind), *others = parts
        match name:
            case "int":
                return (text if kind is INT else f"truncated({text})"), INT
            case "float":
                return (text if kind is FLOAT else f"(double)({text})"), FLOAT
            case "bool":
                return f"(i64)({text} != 0)", INT
            case "abs":
                return f"absolute({text})", INT
        for other, _ in others:
            text = f"{name}imum({text}, {other})"
        return text, INT


def _number(value: int | float) -> str:
    if isinstance(value, float):
        named = '__builtin_nan("")' if math.isnan(value) else "__builtin_inf()"
        text = abs(value).hex() if math.isfinite(value) else named
        return f"(-{text})" if math.copysign(1, value) < 0 else text
    return "MIN64" if value == -(1 << 63) else f"({int(value)}LL)"


def _zero(kind: Kind) -> str:
    return "{}" if isinstance(kind, Record) else "0"


def _is_shared(kind: Kind) -> bool:
    """Whether a function can change it for its caller."""
    if isinstance(kind, Record):
        return any(_is_shared(each) for _, each in kind.fields)
    return isinstance(kind, Array) or kind is TABLE


def _constant_int(node: ast.expr) -> int | None:
    try:
        value = ast.literal_eval(node)
    except (TypeError, ValueError):
        return None
    return int(value) if isinstance(value, int) else None


def _assigned(body: Sequence[ast.stmt]) -> set[str]:
    """The names that something is assigned to."""
    nodes: Iterator[ast.AST] = (node for statement in body for node in ast.walk(statement))
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _always_returns(body: Sequence[ast.stmt]) -> bool:
    match body[-1] if body else None:
        case ast.Return():
            return True
        case ast.If(body=then, orelse=otherwise):
            return _always_returns(then) and _always_returns(otherwise)
    return False


def _first_word(node: ast.AST) -> str:
    return ast.unparse(node).split()[0].rstrip(":(")
