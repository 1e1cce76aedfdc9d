#!/bin/sh
# kafka-metadata-shell.sh as runbooks know it, answered by metaquorum: every argument is passed on as it is.
self=$(readlink -f -- "$0" 2>/dev/null) || self=$0
program="$(dirname -- "$self")/../../.venv/bin/metaquorum"
[ -x "$program" ] || program=metaquorum
exec "$program" metadata "$@"
