"""The translation of expressions from Python to C."""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from collections.abc import Iterator, Sequence
from types import FunctionType
from typing import Any, NoReturn, get_type_hints

from parlour.engine.kinds import (
    FLOAT,
    INT,
    NOTHING,
    Array,
    Declarations,
    Kind,
    Record,
    is_mutable,
    number_literal,
    refuse,
)

ARITHMETIC = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
BITWISE = {ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"}
MODULAR = ast.Add | ast.Sub | ast.Mult  # the lower bits of the result depend on lower bits alone
OPERATIONS: dict[type[ast.operator], str] = {
    ast.Add: "added",
    ast.Sub: "subtracted",
    ast.Mult: "multiplied",
    ast.FloorDiv: "floor_div",
    ast.Mod: "floor_mod",
    ast.Pow: "power",
    ast.LShift: "shift_left",
    ast.RShift: "shift_right",
}
COMPARISONS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
OWN_FUNCTIONS = "functions of the game's file or of parlour.game"
BUILTINS = ("abs", "bool", "float", "int", "len", "max", "min")


class ExpressionWriter:
    """The expressions of one function.

    Methods that translate an expression return its text in C and its kind.
    """

    def __init__(self, unit: Declarations, function: FunctionType) -> None:
        self.unit, self.function = unit, function
        name = getattr(function, "__name__", "a rule")
        try:
            lines, first = inspect.getsourcelines(function)
            definition = ast.parse(textwrap.dedent("".join(lines))).body[0]
            self.closure = inspect.getclosurevars(function)
            hints = get_type_hints(function, {**function.__globals__}, {**self.closure.nonlocals})
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
        self.parameters: dict[str, Kind] = {}
        for argument in spec.args:
            kind = unit.kind_of(hints.get(argument.arg))
            if kind is None or kind is NOTHING:
                self.refuse(definition, f"the argument {argument.arg!r}", "the annotation int, float or a NamedTuple")
            self.parameters[argument.arg] = kind
        result = unit.kind_of(hints.get("return", inspect.Signature.empty))
        if result is None:
            self.refuse(
                definition, "what it returns", "the annotation int, float, None, a NamedTuple or tuple[int, int]"
            )
        self.result = result
        self.kinds = dict(self.parameters)  # the kinds of local variables, each from its first assignment on
        self.local_names = {*self.parameters, *assigned_names(definition.body)}
        self.assigned: set[str] | None = {*self.parameters}  # variables that have a value here; None: unreachable
        self.writes = self.reads = 0  # calls in the statement that may write to arrays, and reads
        self.loops: dict[str, tuple[int, int]] = {}  # the bounds of loop variables that have constant bounds
        self.temporaries = 0

    def refuse(self, node: ast.AST, what: str, remedy: str) -> NoReturn:
        refuse(self.function, what, remedy, getattr(node, "lineno", None))

    def temporary(self) -> str:
        """Return a new name for a temporary variable."""
        self.temporaries += 1
        return f"t{self.temporaries}"

    def condition(self, node: ast.expr) -> str:
        """Translate the truth value of an expression."""
        match node:
            case ast.BoolOp(op=op, values=values):
                return "(" + (" && " if isinstance(op, ast.And) else " || ").join(map(self.condition, values)) + ")"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"!{self.condition(operand)}"
        text, kind = self.expression(node)
        if kind not in (INT, FLOAT):
            self.refuse(node, "this condition", "a comparison of numbers")
        return f"({text})"

    def coerced(self, node: ast.expr, kind: Kind) -> str:
        """Translate an expression to a given kind; integers become floats if necessary."""
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
                return f"(i64){self.condition(node)}", INT
            case ast.BoolOp(op=op, values=values):
                return self.boolean(op, values)
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                return self.compare(left, ops, comparators), INT
            case ast.IfExp(test=test, body=body, orelse=orelse):
                text, kind = self.expression(body, expected)
                return f"({self.condition(test)} ? {text} : {self.coerced(orelse, kind)})", kind
            case ast.Subscript(value=value, slice=index):
                return self.item(node, value, index)
            case ast.Call(func=func, args=args, keywords=keywords):
                return self.call(node, func, args, keywords, expected)
        return self.refuse(node, f"{ast.unparse(node)!r}", "numbers, comparisons, NamedTuples and calls of functions")

    def number(self, node: ast.expr) -> tuple[str, Kind]:
        """Translate a float, or the lower 64 bits of an integer."""
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
        return number_literal(value), FLOAT if isinstance(value, float) else INT

    def array_index(self, index: ast.expr) -> str:
        """Translate an index of an array."""
        constant = constant_int(index)
        if constant is not None and constant < 0:
            self.refuse(index, "a negative place in an array", "a place counted from the beginning")
        return f"at({self.coerced(index, INT)})"

    def resolve(self, name: str) -> Any:
        """Return the Python value of a global or captured name; NotImplemented if there is none."""
        for scope in (self.closure.nonlocals, self.closure.globals, self.closure.builtins):
            if name in scope:
                return scope[name]
        return self.function.__globals__.get(name, NotImplemented)

    def name(self, node: ast.expr, name: str) -> tuple[str, Kind]:
        if name in self.local_names:
            if name not in (self.assigned or ()):
                self.refuse(node, f"{name!r}, which may have no value here,", "a value on every way to this line")
            return f"v_{name}", self.kinds[name]
        meant = self.resolve(name)
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
            texts = [self.coerced(each, kind) for each, (_, kind) in zip(elts, expected.fields, strict=True)]
            return f"(({expected.c}){{{', '.join(texts)}}})", expected
        parts = [self.expression(each) for each in elts]
        record = self.unit.tuple_of(tuple(kind for _, kind in parts))
        return f"(({record.c}){{{', '.join(text for text, _ in parts)}}})", record

    def binary(self, node: ast.expr, left: ast.expr, op: ast.operator, right: ast.expr) -> tuple[str, Kind]:
        (one, first), (two, second) = self.number(left), self.number(right)
        if first is second is INT and type(op) in BITWISE:
            return f"({one} {BITWISE[type(op)]} {two})", INT
        if first is second is INT and type(op) in OPERATIONS:
            one = one if isinstance(op, MODULAR | ast.LShift) else f"exact({one})"
            two = two if isinstance(op, MODULAR) else f"exact({two})"
            return f"{OPERATIONS[type(op)]}({one}, {two})", INT
        one = f"fraction(exact({one}))" if first is INT else one
        two = f"fraction(exact({two}))" if second is INT else two
        if isinstance(op, ast.Div):
            return f"divided({one}, {two})", FLOAT
        if type(op) in ARITHMETIC:
            return f"({one} {ARITHMETIC[type(op)]} {two})", FLOAT
        return self.refuse(node, f"{ast.unparse(node)!r}", "+ - * / // % ** << >> & | ^ of integers, + - * / of floats")

    def boolean(self, op: ast.boolop, values: Sequence[ast.expr]) -> tuple[str, Kind]:
        """Translate ``and`` or ``or`` of numbers. The value is that of the deciding operand."""
        *earlier, last = values
        text, kind = self.expression(last)
        if kind not in (INT, FLOAT):
            self.refuse(last, f"{ast.unparse(last)!r}, which is not a number,", "numbers")
        for node in reversed(earlier):
            name = self.temporary()
            first = self.coerced(node, kind)
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
                among = " || ".join(f"{held} == {self.coerced(each, INT)}" for each in node.elts)
                negated = "!" if isinstance(op, ast.NotIn) else ""
                texts.append(f"{negated}({{ i64 {held} = {self.coerced(before, INT)}; {among}; }})")
            elif type(op) in COMPARISONS:
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
        return f"{one} {COMPARISONS[type(op)]} {two}"

    def constant_tuple(self, node: ast.expr) -> tuple[Any, ...] | None:
        if isinstance(node, ast.Name) and node.id not in self.local_names:
            found = self.resolve(node.id)
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
            place = self.coerced(index, INT)
            constant, kind = self.unit.constant(values)
            bounds = self.loops.get(index.id) if isinstance(index, ast.Name) else None
            if not (bounds and bounds[0] >= 0 and bounds[1] <= len(values)):
                place = f"within({place}, {len(values)})"
            return f"{constant}[{place}]", kind
        text, kind = self.expression(value)
        if isinstance(kind, Array):
            self.reads += 1
            return f"(({kind.item.c}){text}[{self.array_index(index)}])", kind.item
        number = constant_int(index)
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
                return f"{method}({self.coerced(value, INT)})", INT
            case ast.Attribute(value=value, attr="_replace") if not args:
                return self.replace(node, value, keywords)
            case ast.Name(id=name) if name not in self.local_names:
                meant = self.resolve(name)
            case _:
                return self.refuse(node, f"the call of {ast.unparse(func)!r}", OWN_FUNCTIONS)
        if isinstance(meant, type) and meant.__base__ is tuple and hasattr(meant, "_fields"):
            return self.construct(node, self.unit.record(meant), args, keywords)
        if keywords:
            return self.refuse(node, "an argument by its name", "arguments by their places")
        if name in BUILTINS and meant is getattr(builtins, name):
            return self.builtin(node, name, args)
        primitive = self.unit.primitives.get(meant) if callable(meant) else None
        if primitive is None and not isinstance(meant, FunctionType):
            return self.refuse(node, f"the call of {name!r}", OWN_FUNCTIONS)
        called = primitive or self.unit.function(meant)
        if len(called.parameters) != len(args):
            return self.refuse(node, "this call", f"{len(called.parameters)} arguments")
        if called.result is NOTHING and expected is not NOTHING:
            return self.refuse(node, f"the value of {name!r}, which returns none,", "a function that returns a value")
        given = [self.coerced(each, kind) for each, kind in zip(args, called.parameters, strict=True)]
        if any(map(is_mutable, called.parameters)):
            if primitive is not None and called.result is not NOTHING:
                self.reads += 1
            else:
                self.writes, self.reads = self.writes + 1, reads  # C also evaluates arguments before the call
        return f"{called.name}({', '.join(given)})", called.result

    def construct(
        self, node: ast.Call, record: Record, args: list[ast.expr], keywords: list[ast.keyword]
    ) -> tuple[str, Kind]:
        given = dict(zip((name for name, _ in record.fields), args, strict=False))
        given.update({word.arg: word.value for word in keywords if word.arg})
        if list(given) != [name for name, _ in record.fields] or len(args) + len(keywords) != len(given):
            return self.refuse(node, "this tuple", "all fields in their order")
        texts = [self.coerced(given[name], kind) for name, kind in record.fields]
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
            changes += f" {name}.f_{word.arg} = {self.coerced(word.value, found)};"
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


def constant_int(node: ast.expr) -> int | None:
    try:
        value = ast.literal_eval(node)
    except (TypeError, ValueError):
        return None
    return int(value) if isinstance(value, int) else None


def assigned_names(body: Sequence[ast.stmt]) -> set[str]:
    """Return the names that statements assign to."""
    nodes: Iterator[ast.AST] = (node for statement in body for node in ast.walk(statement))
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
