"""What numba has no words for: programs called by their address, and arrays of which references are not counted."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _invoked(typingctx: Any, address: Any, memory: Any) -> Any:
    """Calls a program at its address."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(32), [ir.IntType(32).as_pointer()])
        function = builder.inttoptr(args[0], kind.as_pointer())
        data = context.make_array(signature.args[1])(context, builder, args[1]).data
        return builder.call(function, [data])

    return types.int32(types.int64, memory), code


invoked: Any = intrinsic(_invoked)


def _bare(typingctx: Any, array: Any) -> Any:
    """An array that nobody counts references to: whoever calls keeps it."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        found = context.make_array(signature.args[0])(context, builder, args[0])
        found.meminfo = ir.Constant(found.meminfo.type, None)
        return found._getvalue()

    return array(array), code


bare: Any = intrinsic(_bare)
