"""One frozen state for each role a replica can have."""

from __future__ import annotations

from metaquorum.quorum.roles.candidate import Candidate
from metaquorum.quorum.roles.follower import Follower
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.roles.prospective import Prospective
from metaquorum.quorum.roles.resigned import Resigned
from metaquorum.quorum.roles.unattached import Unattached

Role = Unattached | Prospective | Candidate | Leader | Follower | Resigned
