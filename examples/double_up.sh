#!/bin/sh
# An engine that plays Double Up, and never lets a game go that it can win. The protocol is in docs/engine.md.
last=1 limit=100
while read -r number command first second; do
    answer=
    case $command in
    protocol_version) answer=2 ;;
    known_command) case $first in game | options | clear_board | play | genmove) answer=true ;; *) answer=false ;; esac ;;
    game | clear_board) last=1 ;;
    options) last=1 limit=${first#limit=} ;;
    play) last=$second ;;
    genmove)
        # Whoever says the limit wins, and so does whoever says the largest number whose double falls short of it.
        answer=$limit
        while [ "$answer" -gt $((2 * last)) ]; do answer=$(((answer - 1) / 2)); done
        [ "$answer" -gt "$last" ] || answer=$((last + 1)) # it is lost: hold out
        last=$answer
        ;;
    esac
    printf '=%s %s\n\n' "$number" "$answer"
    [ "$command" != quit ] || exit 0
done
