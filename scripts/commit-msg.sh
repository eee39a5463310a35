#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Refuses a commit whose subject is longer than 72 letters, or whose second line is not blank: git log and
# most viewers cut longer subjects.  Git passes the file that holds the message.
#
#   ln -s ../../scripts/commit-msg.sh "$(git rev-parse --git-path hooks)/commit-msg"    installs it
set -euo pipefail

wrong() { # MESSAGE
    echo "commit-msg: $1" >&2
    exit 1
}

message=$(grep -v '^#' "$1")
subject=$(head -n 1 <<<"$message")
second=$(sed -n 2p <<<"$message")
[[ $subject == Merge\ * ]] && exit 0
((${#subject} <= 72)) || wrong "found a subject of ${#subject} letters, expected at most 72: $subject"
[[ -z $second ]] || wrong "found '$second' behind the subject, expected a blank line"
